---- MODULE NoBag ----
\* What is no function is no bag, which is no error.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 0
Next == x' = 1 - x
None == ~IsABag(x) /\ ~IsABag({x}) /\ ~IsABag([n \in {x} |-> 0]) /\ IsABag(<<1>>)
====
