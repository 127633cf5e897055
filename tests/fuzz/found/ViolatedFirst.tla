---- MODULE ViolatedFirst ----
(* The first way to the step violates a property, the second has no value: the first comes first. *)
EXTENDS Integers
VARIABLE x

Init == x = 0
Next == ({} = {} \/ (CHOOSE y \in {} : TRUE) \in {}) /\ x' = 1 - x
Stays == [][x' = x]_x
====
