-------------------------------- MODULE Stuck --------------------------------
(* A deadlock after some steps. *)
EXTENDS Naturals
VARIABLES left, right
Init == left = 3 /\ right = 0
Move == left > 0 /\ left' = left - 1 /\ right' = right + 1
Back == right = 2 /\ left' = left + 1 /\ right' = 1
Next == Move \/ Back
TypeOK == left \in 0..3 /\ right \in 0..3
==============================================================================
