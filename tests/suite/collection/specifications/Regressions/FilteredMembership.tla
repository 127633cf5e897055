-------------------------- MODULE FilteredMembership ---------------------------
\* Membership in a filtered set of very many candidates, through definitions.
EXTENDS Integers, FiniteSets
VARIABLE s
Partitions == {P \in SUBSET (SUBSET (1..Cardinality(s) + 1)) : \A p, q \in P : p = q \/ p \cap q = {}}
Apart(n) == {P \in SUBSET (SUBSET (1..n)) : \A p \in P : Cardinality(p) = 1}
Init == s = {}
Next == Cardinality(s) < 3 /\ \E i \in 1..4 : s' = s \cup {{i}}
TypeOK == /\ (\A p \in s : p \subseteq 1..Cardinality(s) + 1) => s \in Partitions
          /\ s \in Apart(4)
          /\ {{1, 2}} \notin Apart(4)
================================================================================
