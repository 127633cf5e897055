------------------------------ MODULE RecursiveWays ------------------------------
(* Every way through a recursive operator counts as a step. *)
EXTENDS Naturals
VARIABLES x, y
RECURSIVE Walk(_)
Walk(n) == n = 0 \/ n = 1 \/ \A m \in {n - 1} : n > 1 /\ Walk(m)
Rec[n \in 0..4] == n = 0 \/ n = 1 \/ \A m \in {n - 1} : n > 1 /\ (Rec[m] \/ y = 7)
Init == x = 0 /\ y = 0
Step == Walk(x) /\ Walk(y) /\ x' = (x + 1) % 5 /\ y' = y
Turn == Rec[x] /\ Rec[y] /\ y' = (y + 1) % 5 /\ x' = x
Each == /\ \A k \in 1..2 : LET RECURSIVE R(_)
                               R(n) == n = k \/ n = 0 \/ n < 2 \/ (n > 1 /\ R(n - 2)) IN R(x)
        /\ x' = y /\ y' = y
Next == Step \/ Turn \/ Each
=================================================================================
