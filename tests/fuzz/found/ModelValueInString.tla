---- MODULE ModelValueInString ----
\* A model value was a string in machine code.
EXTENDS Integers
CONSTANT u
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == u \notin STRING
====
