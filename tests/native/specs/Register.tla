------------------------------ MODULE Register ------------------------------
EXTENDS Naturals
CONSTANT Top
VARIABLE cell
Start == cell = 0
Write(n) == n <= Top /\ cell' = n
Larger(n) == n > cell
=============================================================================
