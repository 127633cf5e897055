---- MODULE NumbersInProduct ----
\* A function on numbers that are not 1..n is in no product, and may be asked.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = IF [n \in {-7, 2, x} |-> n] \in {1} \X {2} THEN 1 ELSE 0
====
