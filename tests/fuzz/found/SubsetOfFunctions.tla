---- MODULE SubsetOfFunctions ----
\* The same function twice was a subset of itself in Python; a function is no set.
EXTENDS Integers
CONSTANT u
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == [a |-> x] \subseteq [a |-> x]
====
