---- MODULE Divided ----
\* What a division into pieces has to keep apart: choices, calls with arguments, LET, an operator that a guard, an
\* invariant, fairness and the constraint share, ENABLED of the relation itself, steps of which one is there twice.
EXTENDS Naturals, FiniteSets
CONSTANTS Who, Most
VARIABLES has, turn, count

vars == <<has, turn, count>>

Room(n) == n < Most
Used == {p \in Who : has[p] > 0}

Take(p) ==
  /\ Room(count)
  /\ has[p] = 0
  /\ has' = [has EXCEPT ![p] = 1]
  /\ count' = count + 1
  /\ UNCHANGED turn

Give(p) ==
  LET left == count - has[p] IN
  \/ /\ has[p] > 0
     /\ has' = [has EXCEPT ![p] = 0]
     /\ count' = left
     /\ turn' = p
  \/ /\ has[p] > 0
     /\ turn # p
     /\ turn' = p
     /\ UNCHANGED <<has, count>>

Work(p) == Take(p) \/ Give(p)

Reset ==
  /\ Cardinality(Used) = Most
  /\ has' = [p \in Who |-> 0]
  /\ count' = 0
  /\ UNCHANGED turn

Rest == ~ENABLED (\E p \in Who : Take(p)) /\ count = Most /\ UNCHANGED vars

Init == has = [p \in Who |-> 0] /\ count = 0 /\ turn \in Who
Next == (\E p \in Who : Work(p)) \/ Reset \/ Rest
Spec == Init /\ [][Next]_vars /\ WF_vars(\E p \in Who : Take(p)) /\ WF_vars(Reset)

TypeOK == has \in [Who -> 0..1] /\ count \in 0..Most /\ turn \in Who
Counted == count = Cardinality(Used)
NotAbove == ~Room(count) => count = Most
Small == count <= Most
Steps == [][count' <= count + 1]_vars
Again == []<>(count > 0)
Full == count = 1 ~> count # 1
====
