---- MODULE UnionOfSubsetsOfFilters ----
(* Likewise where what has no value is further inside. *)
EXTENDS Naturals, FiniteSets

VARIABLE x

Thirds(k) == {h \in SUBSET {0, 1, k} : 6 \div Cardinality(h) > 2}
Init == x = 0
Next == x' = (x + 1) % 3
Inv == {{1}} \in UNION {SUBSET {{1}, {x + 2}}, SUBSET Thirds(x + 2)}
====
