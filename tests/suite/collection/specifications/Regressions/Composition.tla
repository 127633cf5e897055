------------------------------ MODULE Composition ------------------------------
\* Steps made of two actions: TLC counts the states between them as generated.
EXTENDS Integers
VARIABLES a, b

Init == a = 0 /\ b = 0
Add == \E d \in {1, 2} : a' = a + d /\ b' = b
Settle == b' = a /\ a' = a
Next == a < 6 /\ (Add \cdot Settle)
================================================================================
