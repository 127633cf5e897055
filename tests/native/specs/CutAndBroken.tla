---------------------------- MODULE CutAndBroken ----------------------------
(* An invariant that only a state outside the constraint breaks. *)
EXTENDS Naturals
VARIABLES a, b
Init == a = 0 /\ b = 0
Next == (a' = a + 1 /\ b' = b) \/ (b' = b + 1 /\ a' = a)
Small == a + b < 5
Never == ~(a = 3 /\ b = 2)
==============================================================================
