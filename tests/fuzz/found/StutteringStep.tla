---- MODULE StutteringStep ----
\* TLC evaluates the A of [A]_v also where v does not change.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = x
Always == [][10 \div x' = 1]_x
====
