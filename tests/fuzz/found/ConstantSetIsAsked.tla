---- MODULE ConstantSetIsAsked ----
\* A constant set that is described was listed in Python, so that an interval could be looked for among functions.
EXTENDS Integers
CONSTANT u
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == (1 .. x) \notin [{"a"} -> {}]
====
