------------------------------- MODULE Broken -------------------------------
(* An invariant that fails in the middle of the search. *)
EXTENDS Naturals, FiniteSets
VARIABLES s, n
Init == s = {} /\ n = 0
Add == \E e \in 1..5 : e \notin s /\ s' = s \cup {e} /\ n' = (n + e) % 7
Next == Add \/ (n' = (n + 1) % 7 /\ UNCHANGED s)
TypeOK == s \subseteq 1..5 /\ n \in 0..6
Never == ~(Cardinality(s) = 3 /\ n = 2 /\ 4 \in s)
==============================================================================
