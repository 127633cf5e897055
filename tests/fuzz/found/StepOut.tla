---- MODULE StepOut ----
(* A step that leads out of the constraint violates a property of steps all the same. *)
EXTENDS Integers
VARIABLE x

Init == x = 0
Next == x' = x + 1
Inside == x < 1
Small == [][x' # 1]_x
====
