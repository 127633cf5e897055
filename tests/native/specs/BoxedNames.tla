------------------------------ MODULE BoxedNames ------------------------------
(* A step takes its name from the first action that changes something, whether that has one conjunct or several. *)
EXTENDS Naturals
VARIABLES now, hour, timer
Tick == /\ now' \in {n \in 0..3 : n > now}
        /\ UNCHANGED hour
Turn == hour' = IF hour < 3 THEN hour + 1 ELSE 0
Timer == timer' = IF hour' # hour THEN 0 ELSE timer + (now' - now)
Init == now = 0 /\ hour \in 0..1 /\ timer = 0
Next == /\ [Tick]_now
        /\ [Turn]_hour
        /\ Timer
        /\ timer' <= 3
===============================================================================
