---- MODULE ArgumentsOfTwoKinds ----
\* Python and machine code took two functions on arguments of different kinds for different; TLC compares the arguments.
EXTENDS Integers
CONSTANT u
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == [i \in {x} |-> 1] # [i \in {s} |-> 1]
====
