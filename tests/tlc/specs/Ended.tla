-------------------------------- MODULE Ended --------------------------------
(* A search that the specification ends, as one that follows a log does when it has reached the log's end. *)
EXTENDS Naturals, TLC
VARIABLES x, y

Init == x = 0 /\ y = 0
Next == \/ x < 6 /\ x' = x + 1 /\ y' = y
        \/ y < 6 /\ y' = y + 1 /\ x' = x
AtTheEnd == x = 3 => TLCSet("exit", TRUE)
Small == x < 5
Reached == TLCGet("distinct") > 5
==============================================================================
