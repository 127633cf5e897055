---- MODULE ArgumentsFirst ----
\* TLC has \sqsubseteq in Java: its arguments need a value where the definition would not read them.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 0
Next == x' = x
Within == EmptyBag \sqsubseteq <<>>[x + 1]
====
