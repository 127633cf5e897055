---- MODULE EnabledByALaterWay ----
(* ENABLED tries the next way where the first one leads nowhere: that it has no value is an error. *)
EXTENDS Integers
VARIABLE x

Init == x \in 1..2
Next == ENABLED ((x = x \/ 10 \div (x - x) = 1) /\ x' = 2 /\ x' = 1) /\ x' = 1
====
