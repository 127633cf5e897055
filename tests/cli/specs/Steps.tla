---- MODULE Steps ----
(* A number and a bit. One configuration of test_specifications.py for each way a check can end. *)
EXTENDS Naturals, TLC
VARIABLES x, y
vars == <<x, y>>

Init == x = 0 /\ y \in 0..1
Up == x' = x + 1 /\ UNCHANGED y
Flip == y' = 1 - y /\ x' = x
Add(n) == x' = x + n /\ y' = y
Next == Up \/ Flip \/ \E n \in 2..3 : Add(n)
Spec == Init /\ [][Next]_vars

Small == x < 8
Shallow == TLCGet("level") < 5
ShallowStep == TLCGet("level") < 4

\* The level is more than five.
LevelAtMostFive == TLCGet("level") <= 5
NeverComparable == IF x = 4 THEN x = "four" ELSE TRUE
Grows == [][x' >= x]_vars
NeverByThree == [][x' # x + 3]_vars
StartsWithoutBit == y = 0
StaysBelowSix == [](x < 6)
ReachesThree == <>(x = 3)
TenStates == TLCGet("distinct") = 10
SixteenStates == TLCGet("distinct") = 16

Number == x
Shown == [sum |-> x + y, level |-> TLCGet("level"), next |-> x']

Climb == x < 3 /\ x' = x + 1 /\ UNCHANGED y
Insist == Assert(x < 2, "too large") /\ x' = x + 1 /\ UNCHANGED y
Forgetful == x' = x + 1
Divide == x' = 10 \div (2 - x) /\ UNCHANGED y
Nowhere == x \in {} /\ y = 0
====
