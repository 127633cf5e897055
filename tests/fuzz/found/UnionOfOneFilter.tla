---- MODULE UnionOfOneFilter ----
(* There is nothing to be sorted: only what is asked for needs a value. *)
EXTENDS Naturals, FiniteSets

VARIABLE x

Thirds(k) == {h \in SUBSET {0, 1, k} : 6 \div Cardinality(h) > 2}
Init == x = 0
Next == x' = (x + 1) % 3
Inv == {1} \in UNION {Thirds(x + 2)} /\ {1} \in UNION {Thirds(k) : k \in {x + 2}}
====
