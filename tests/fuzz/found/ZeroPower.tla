---- MODULE ZeroPower ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = x
Zero == x ^ x = 0
====
