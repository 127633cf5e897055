---- MODULE FarViolation ----
\* A violation in a round in which the store of states grows.
EXTENDS Naturals
CONSTANT Far
VARIABLES x, y

Init == x = 0 /\ y = 0
Right == x' = (x + 1) % 90 /\ y' = y
Up == y' = y + 1 /\ x' = x
Next == Right \/ (y < 90 /\ Up)

Near == x + y # Far
====
