------------------------------ MODULE Instances ------------------------------
(* INSTANCE with substitutions, named and with a parameter. *)
EXTENDS Naturals
VARIABLES left, right
L == INSTANCE Register WITH cell <- left, Top <- 2
R(t) == INSTANCE Register WITH cell <- right, Top <- t
Init == L!Start /\ R(1)!Start
Next ==
  \/ \E n \in 0..3 : L!Write(n) /\ L!Larger(n) /\ UNCHANGED right
  \/ \E n \in 0..3 : R(3)!Write(n) /\ UNCHANGED left
  \/ left = 2 /\ right = 3 /\ left' = 0 /\ right' = 0
TypeOK == left \in 0..2 /\ right \in 0..3
==============================================================================
