---- MODULE DomainOfRule ----
\* A function on a set that is not listed stays a rule: its DOMAIN has a value though the function has none somewhere.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == UNCHANGED x
InIt == LET f == [w \in Nat |-> CHOOSE q \in {x} : q = w] IN 2 \in DOMAIN f
====
