The modules of one file may use each other, in any order.

------------------------------ MODULE TwoModules -------------------------------
EXTENDS Below
VARIABLE n
Init == n = 0
Next == n' = Successor(n)
================================================================================

--------------------------------- MODULE Below ---------------------------------
EXTENDS Naturals
Successor(i) == (i + 1) % 4
================================================================================
