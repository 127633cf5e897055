---------------------------- MODULE NegativeWide ----------------------------
(* Numbers that leave the range a type invariant claims, on both sides. *)
EXTENDS Integers
VARIABLES up, down
Init == up = 0 /\ down = 0
Next == (up < 60 /\ up' = up + 7 /\ down' = down) \/ (down > -90 /\ down' = down - 13 /\ up' = up)
Apart == up >= down
==============================================================================
