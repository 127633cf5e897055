---- MODULE PowersetOfNoSet ----
\* SUBSET of what is no set was given a size in Python, since it is asked for elements only when somebody needs them.
EXTENDS Integers, FiniteSets
VARIABLES x
Init == x \in {1, 2}
Next == x' = x
Holds == Cardinality(SUBSET x) = 1
====
