---- MODULE BagsOfSets ----
\* \sqsubseteq took sets for numbers of copies in Python.
EXTENDS Integers, Bags
CONSTANT u
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == [a |-> {x}] \sqsubseteq [a |-> {x, 1}]
====
