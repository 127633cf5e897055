------------------------------ MODULE Branching ------------------------------
(* Every way through an action counts as a step, also through a mere guard. *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLES x, y, z

vars == <<x, y, z>>
rest == <<y, z>>

Init == /\ x \in 0..2
        /\ y \subseteq {1, 2}
        /\ \/ z = <<>>
           \/ z = <<0>>
           \/ x = 0 /\ z = <<0>>

(* The disjunction is a guard that holds in two ways for x = 1. *)
Doubled == /\ x = 1 \/ x < 2
           /\ x' = x + 1
           /\ UNCHANGED rest

(* After the last variable has its value the disjunction is only a test. *)
Tested == /\ x' = x
          /\ UNCHANGED <<y, z>>
          /\ x = 1 \/ x < 2

(* A quantified guard counts once for each witness. *)
Witnessed == /\ \E i \in 0..2 : i <= x
             /\ \A i \in y : \E j \in 1..2 : j <= i
             /\ y' = y \cup {1}
             /\ UNCHANGED <<x, z>>

Chosen == /\ IF x = 0 THEN x' \in {1, 2} ELSE x' = 0
          /\ CASE x' = 0 -> y' = {}
               [] x' = 1 -> y' \in SUBSET {1}
               [] OTHER  -> UNCHANGED y
          /\ (Len(z) < 2) => (z' = Append(z, x'))
          /\ (Len(z) >= 2) => (z' = <<>>)

Assign(variable, value) == variable' = value
Twice(Act(_), n) == Act(n) \/ Act(n + 1)
Third(n) == /\ Assign(x, (x + n) % 3)
            /\ UNCHANGED rest

Local == LET sum == x + Cardinality(y)
             Odd[n \in 0..5] == IF n < 2 THEN n = 1 \/ n = -1 ELSE Odd[n - 2]
         IN  /\ Odd[sum]
             /\ z # <<>>
             /\ LET shorter == Tail(z) IN z' = shorter
             /\ UNCHANGED <<x, y>>

RECURSIVE Reaches(_)
Reaches(n) == \/ n = 2
              \/ n < 2 /\ Reaches(n + 1)
              \/ n < 1 /\ Reaches(n + 2)

Walk == /\ Reaches(x)
        /\ x' = 2
        /\ [y' = {2}]_y
        /\ z' = z

Next == \/ Doubled
        \/ Tested
        \/ Witnessed
        \/ Chosen
        \/ Twice(Third, 1)
        \/ Walk
        \/ Local
        \/ <<x' = 0 /\ UNCHANGED rest>>_x

Spec == Init /\ [][Next]_vars

Small == x \in 0..3 /\ y \subseteq 1..2 /\ Len(z) <= 2
Enabled == ENABLED Doubled <=> x < 2
Steps == [][x' # 3 /\ (Doubled => x' = x + 1)]_vars
==============================================================================
