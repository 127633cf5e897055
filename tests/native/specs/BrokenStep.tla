----------------------------- MODULE BrokenStep -----------------------------
(* A step property and a property of initial states; the step property fails. *)
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 3
Up == x < 4 /\ x' = x + 1 /\ y' \in {y, x}
Down == y > 1 /\ y' = y - 1 /\ UNCHANGED x
Spec == Init /\ [][Up \/ Down]_vars
Starts == x = 0
Slowly == [][y' >= y - 1]_vars
Both == Starts /\ [][x' >= x]_x
==============================================================================
