---- MODULE ImagesOfNoBag ----
\* TLC's BagOfAll adds the copies of elements with one image, and looks at no others: of what is no bag it has a value, too.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
NotLess == ~(BagOfAll(LAMBDA e : e, <<x, TRUE>>) \sqsubseteq EmptyBag)
====
