---- MODULE StrangerInBag ----
\* TLC compares an element with those of the bag; the Python engine looked it up, and said that there are no copies of it.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
Copies == CopiesIn("a", SetToBag({x})) = 0
====
