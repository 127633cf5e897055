----------------------------- MODULE Constrained -----------------------------
(* State and action constraints together; what is cut is still checked. *)
EXTENDS Naturals
VARIABLES a, b
Init == a \in 0..1 /\ b = 0
Next == (a' = a + 1 /\ b' = b) \/ (b' = b + a /\ a' = a) \/ (a > 2 /\ a' = 0 /\ b' = b)
Small == a <= 4 /\ b <= 6
Slow == b' - b <= 3 \/ b' < b
NeverBelow == a >= 0 /\ b <= 10
==============================================================================
