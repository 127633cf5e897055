---- MODULE StrangerPart ----
\* As StrangerInBag.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
Copies == SetToBag({x}) \sqsubseteq SetToBag({"a"}) \/ x = 1
====
