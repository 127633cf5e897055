---- MODULE StrangerLess ----
\* As StrangerInBag.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
Copies == SetToBag({x}) (-) SetToBag({"a"}) = SetToBag({x})
====
