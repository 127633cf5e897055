--------------------------------- MODULE Parts ---------------------------------
\* Parts of definitions by number, by position and by label.
EXTENDS Integers
VARIABLES x, y

TypeOK == /\ x \in 0..3
          /\ y \in 0..3
Whole == /\ x = 0
         /\ named :: y \in {0, 1}
Step(d) == \E e \in {d} : x' = x + e
Ordered == \A i \in {x} : lab(i) :: i <= 3

Init == Whole!1 /\ Whole!named
Next == x < 3 /\ Step(1) /\ y' = y

First == TypeOK!1
Second == TypeOK!2
Inner == Ordered!lab(x)
Applied == Ordered!(x)
================================================================================
