----------------------------- MODULE BrokenStart -----------------------------
(* An initial state that breaks a property of initial states. *)
EXTENDS Naturals
VARIABLE x
Init == x \in 0..3
Next == x' = (x + 1) % 4
Spec == Init /\ [][Next]_x
Starts == x < 3
Prop == Starts
==============================================================================
