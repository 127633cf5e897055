----------------------------- MODULE CountedWays -----------------------------
(* Every way to take a step counts as generated, by disjunction and by quantifier. *)
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Many == (x = 0 \/ y = 0 \/ x = y) /\ x' = (x + 1) % 3 /\ y' = y
Some == (\E n \in 0..2 : n >= y) /\ y' = (y + 1) % 3 /\ x' = x
Same == (x < 2 \/ y < 2) /\ (\E m \in 0..1 : x' = m) /\ (\E m \in {0, 0, 1} : y' = m)
Next == Many \/ Some \/ Same
TypeOK == x \in 0..2 /\ y \in 0..2
==============================================================================
