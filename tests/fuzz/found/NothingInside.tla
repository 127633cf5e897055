---- MODULE NothingInside ----
(* No initial state satisfies the constraint: there is nothing to look at. *)
EXTENDS Integers
VARIABLE x

Init == x \in {0, 1}
Next == x' = x
Inside == x > 1
====
