------------------------------- MODULE NeverNeeded -------------------------------
(* Values that do not exist are computed with, softly, before it is known that nothing needs them. *)
EXTENDS Integers, FiniteSets
VARIABLE x
Few == {1, 2, 3}
Far == [i \in 1000..1003 |-> i - x]
None == CHOOSE i \in Few : i > x + 5
NoneFar == CHOOSE i \in 1000..1003 : i < x
Init == x = 0
Next == x' = (x + 1) % 4
A == \A k \in Few : LET d == 6 \div None IN (x > 10 /\ k > 1) => d + d + k = 6 % None
B == LET d == 6 \div None m == 6 % None IN IF x > 5 THEN d + d = m + m ELSE TRUE
C == LET d == {6 \div None} IN IF x > 5 THEN d \cup d = {} ELSE \A k \in Few : (x > 3) => k \in d
D == LET d == Far[NoneFar] IN IF x > 5 THEN d + d = x ELSE \E k \in Few : x > 4 => d = k
E == \A k \in Few : \A l \in Few : x > 3 + k => Cardinality({Far[NoneFar] + i : i \in Few}) > l
==================================================================================
