---- MODULE NothingAsked ----
\* Of what is no set nothing is asked where the other side is empty.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Nothing == {} \subseteq x /\ {} \cap x = {} /\ <<x>> \cap (1..0) = {} /\ {} \ x = {}
====
