------------------------------- MODULE LazyUnion -------------------------------
\* Membership in a union of sets that are large, one of them infinite.
EXTENDS Integers, Sequences
CONSTANT None
VARIABLES s, slots
Bounded(S) == UNION {[1..n -> S] : n \in 0..5}
TypeOK == /\ s \in Bounded(1..9)
          /\ slots \in UNION {[0..1 -> Int \cup {None}]}
Init == s = <<>> /\ slots = [i \in 0..1 |-> None]
Next == Len(s) < 3 /\ \E i \in 0..1 : s' = Append(s, i + 1) /\ slots' = [slots EXCEPT ![i] = Len(s)]
================================================================================
