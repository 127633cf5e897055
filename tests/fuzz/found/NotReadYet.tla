---- MODULE NotReadYet ----
(* An operator that does not ask for its argument: it may be a variable that has no value yet. *)
EXTENDS Integers

VARIABLES w, z

Two(x) == 2
Init == z = -(LET two(x) == 2 IN two(w)) + Two(w) + Two(w + 1) /\ w = 1
Next == UNCHANGED <<w, z>>
====
