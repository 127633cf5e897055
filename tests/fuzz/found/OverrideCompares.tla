---- MODULE OverrideCompares ----
\* f @@ g on arguments of different kinds had a value in Python and in the reference evaluator; TLC compares them.
EXTENDS Integers, TLC
CONSTANT u
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == DOMAIN ((x :> 1) @@ [a |-> 1]) # {}
====
