--------------------------- MODULE PassedConditions ---------------------------
(* Conditions that are true in several ways, passed to actions: each way is a step. *)
EXTENDS Naturals
VARIABLES x, y

Move(i, may) == may /\ x' = (x + i) % 5 /\ UNCHANGED y
Outer(i, may) == Move(i, may)
Both(may, set) == y' = (y + 1) % 3 /\ may /\ set
Init == x = 0 /\ y = 0
Next ==
    \/ \E i \in 1..2 : LET may == x < 3 \/ x + i < 4 IN Outer(i, may)
    \/ \E i \in 1..2 : Move(i, \E k \in 0..i : k <= x)
    \/ Both(x > 1 \/ y > 0 \/ x + y = 3, x' \in {x, 4})
===============================================================================
