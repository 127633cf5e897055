---- MODULE EnabledPassedOn ----
\* Outer passes on an action: machine code took its value in the step for the action.
EXTENDS Integers
VARIABLES x, y
Inner(A) == ENABLED A
Outer(A) == Inner(A)
Init == x = 0 /\ y = 0
Next == /\ x' \in {0, 1, 2}
        /\ y' = IF Outer(x' = 2 /\ x < 1) THEN 1 ELSE 0
====
