---- MODULE NoBagBeside ----
\* Nothing is less than what is no bag: the reference evaluator, and machine code, looked only for the copies that there are.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
Below == EmptyBag \sqsubseteq "a" \/ x = 5
====
