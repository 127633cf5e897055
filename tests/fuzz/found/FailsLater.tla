---- MODULE FailsLater ----
(* The first successor violates the step property, the second has no value: TLC stops at the first. The judge wanted to
   know all ways from one state to the other, and called the counterexample wrong. *)
EXTENDS Integers
VARIABLE x

Init == x = 0
Next ==
    \/ x' = 1
    \/ (CHOOSE y \in {1} : y = 2) = 3 /\ x' = 1
Kept == [][x' = x]_x
====
