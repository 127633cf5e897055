---------------------------- MODULE KnownFunctions ----------------------------
(* Functions that TLC computes before it searches: it follows those of which it keeps the rule, through any names. *)
EXTENDS Naturals
VARIABLE x
S == 1..3
D == SUBSET S
Recursive[n \in S] == IF n = 1 THEN (\E i \in 1..2 : TRUE) ELSE Recursive[n - 1] \/ TRUE
RecursiveByName == Recursive
RecursiveInLet == LET f == Recursive IN f
Table == [n \in S |-> (\E i \in 1..2 : TRUE)]
TableByName == Table
OnSubsets == [n \in SUBSET S |-> (\E i \in 1..2 : TRUE)]
OnSubsetsByName == OnSubsets
OnNamedSubsets == [n \in D |-> (\E i \in 1..2 : TRUE)]
OnFewSubsets == [n \in {s \in D : TRUE} |-> (\E i \in 1..2 : TRUE)]
OnSum == [n \in S \cup {4} |-> (\E i \in 1..2 : TRUE)]
OnUnion == [n \in UNION {S, 3..4} |-> (\E i \in 1..2 : TRUE)]
OnListedUnion == [n \in UNION {{1}, {2, 3}} |-> (\E i \in 1..2 : TRUE)]
OnDomain == [n \in DOMAIN OnSum |-> (\E i \in 1..2 : TRUE)]
Init == x = 0
Next ==
  /\ x = 0
  /\ \/ Recursive[2] /\ x' = 1
     \/ RecursiveByName[2] /\ x' = 2
     \/ RecursiveInLet[2] /\ x' = 3
     \/ Table[2] /\ x' = 4
     \/ TableByName[2] /\ x' = 5
     \/ OnSubsets[{}] /\ x' = 6
     \/ OnSubsetsByName[{}] /\ x' = 7
     \/ OnNamedSubsets[{}] /\ x' = 8
     \/ OnFewSubsets[{}] /\ x' = 9
     \/ OnSum[2] /\ x' = 10
     \/ OnUnion[2] /\ x' = 11
     \/ OnListedUnion[2] /\ x' = 12
     \/ OnDomain[2] /\ x' = 13
===============================================================================
