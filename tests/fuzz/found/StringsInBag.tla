---- MODULE StringsInBag ----
\* BagIn asks how many there are; machine code asked whether the element is in the domain.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
In == BagIn(x, <<"a">>)
====
