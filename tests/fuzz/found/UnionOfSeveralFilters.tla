---- MODULE UnionOfSeveralFilters ----
(* TLC sorts the sets of a union, for which the elements of each need a value. *)
EXTENDS Naturals, FiniteSets

VARIABLE x

Thirds(k) == {h \in SUBSET {0, 1, k} : 6 \div Cardinality(h) > 2}
Init == x = 0
Next == x' = (x + 1) % 3
Inv == {1} \in UNION {Thirds(x + 2), Thirds(x + 3)}
====
