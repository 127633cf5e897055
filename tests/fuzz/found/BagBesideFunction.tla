---- MODULE BagBesideFunction ----
\* To TLC the bag is no record, and has less arguments than the function: the judge called the right success wrong.
EXTENDS Bags
CONSTANT S
VARIABLE x
Init == x = 0
Next == x' = x
Inv == ~({[k \in S |-> "z"]} \subseteq {SetToBag({"z"})}) /\ x = 0
====
