---- MODULE EnabledInRecursion ----
\* v comes under ENABLED in the place of w: both engines took its value in the step for the action.
EXTENDS Integers
VARIABLES x, y
RECURSIVE A(_, _, _)
A(n, v, w) == IF n = 0 THEN ENABLED w ELSE A(n - 1, w, v)
Init == x = 0 /\ y = 0
Next == /\ x' \in {0, 1, 2}
        /\ y' = IF A(1, x' = x + 1 /\ x < 1, TRUE) THEN 1 ELSE 0
====
