---- MODULE UnionOfListedAndFilter ----
(* Likewise where one of them is listed. *)
EXTENDS Naturals, FiniteSets

VARIABLE x

Thirds(k) == {h \in SUBSET {0, 1, k} : 6 \div Cardinality(h) > 2}
Init == x = 0
Next == x' = (x + 1) % 3
Inv == {1} \in UNION {{{1}, {x + 5}}, Thirds(x + 2)}
====
