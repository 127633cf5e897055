---- MODULE ConstraintOfNoBag ----
\* Machine code did not ask whether "a" is a function where nobody looks for an element of it: the constraint was false.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
Within == BagIn(x - 1, "a" (-) EmptyBag) \/ x = 5
Never == FALSE /\ x = x
====
