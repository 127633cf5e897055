---- MODULE UnionOfSeveralInAMap ----
(* Likewise of sets by a rule. *)
EXTENDS Naturals, FiniteSets

VARIABLE x

Thirds(k) == {h \in SUBSET {0, 1, k} : 6 \div Cardinality(h) > 2}
Init == x = 0
Next == x' = (x + 1) % 3
Inv == {1} \in UNION {Thirds(k) : k \in {x + 2, x + 3}}
====
