---- MODULE RandomSubsets ----
EXTENDS Integers, FiniteSets, Randomization
Same(S) == RandomSubset(10, S) = S
ASSUME Cardinality(RandomSubset(3, 1..20)) = 3 /\ RandomSubset(3, 1..20) \subseteq 1..20
ASSUME RandomSubset(0, 1..3) = {}
\* a set with fewer elements is taken whole
ASSUME Same(1..4) /\ Same({}) /\ Same([1..3 -> BOOLEAN]) /\ Same([a : 1..2, b : BOOLEAN]) /\ Same({"a", "b"})
ASSUME Same(SUBSET {1, 2}) /\ Same({1, 2} \X {3})
\* a large one, too
ASSUME Cardinality(RandomSubset(100002, 1..100001)) = 100001
====
