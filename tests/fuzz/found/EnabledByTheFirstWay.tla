---- MODULE EnabledByTheFirstWay ----
(* ENABLED ends with the first way to take the step: what comes after it in a disjunction is not evaluated. *)
EXTENDS Integers
VARIABLE x

Init == x \in 1..2
Next == ENABLED ((x = x \/ 10 \div (x - x) = 1) /\ x' = 1) /\ x' = 1
====
