-------------------------------- MODULE Draw --------------------------------
(* Balls are taken from an urn; which one, the action does not say. *)
EXTENDS Naturals, Sequences
CONSTANT Balls
VARIABLES urn, taken

Init == urn = 1..Balls /\ taken = <<>>
Take == \E ball \in urn : taken' = Append(taken, ball) /\ urn' = urn \ {ball}
Next == Take
Spec == Init /\ [][Next]_<<urn, taken>>
=============================================================================
