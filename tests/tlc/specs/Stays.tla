------------------------------- MODULE Stays -------------------------------
(* Behaviours that stop for ever: in the last state, or in the first one. *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Up == x < 2 /\ x' = x + 1
Spec == Init /\ [][Up]_x /\ WF_x(Up)
Stuck == Init /\ [][x > 5 /\ x' = x + 1]_x
Ends == <>(x = 3)
=============================================================================
