---------------------------- MODULE PartsInstanced ----------------------------
EXTENDS Integers
CONSTANTS Mixed(_, _, _), base

Mixes == Mixed(2, 3, 5)
Near(a) == \E k \in 3 : at(k) :: k + base = a - (1 + a)
Local(a) == LET Add(b) == a + b + base IN Add(a)
THEOREM Fact == named :: base > 0
------------------------------ MODULE Deeper ----------------------------------
CONSTANT away
Further(a) == \E k \in 3 : at(k) :: k + away = a
===============================================================================
Nested == INSTANCE Deeper WITH away <- 1000
===============================================================================
