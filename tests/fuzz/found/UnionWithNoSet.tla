---- MODULE UnionWithNoSet ----
\* What is in a set is in its union with whatever (`SetCupValue.member`); the reference evaluator asked for a set first.
EXTENDS Integers
VARIABLE x
Init == x = 1
Next == UNCHANGED x
In == x \in ({x} \cup 5)
====
