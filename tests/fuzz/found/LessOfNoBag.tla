---- MODULE LessOfNoBag ----
\* TLC takes both sides of (-) for functions before it subtracts; the reference evaluator called the engines' error wrong.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
None == (EmptyBag (-) {x}) = EmptyBag
====
