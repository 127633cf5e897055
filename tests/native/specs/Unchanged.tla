------------------------------ MODULE Unchanged ------------------------------
(* UNCHANGED of nested tuples and of definitions, and after an assignment. *)
EXTENDS Naturals
VARIABLES a, b, c, d
left == <<a, b>>
right == <<c, d>>
all == <<left, right>>
Init == a = 0 /\ b = 0 /\ c = 0 /\ d = 0
A == a' = 1 - a /\ UNCHANGED b /\ UNCHANGED right
B == UNCHANGED left /\ c' \in 0..2 /\ d' = IF c' > c THEN 1 ELSE 0
C == a' \in {0, 1} /\ UNCHANGED a /\ b' = (b + 1) % 2 /\ UNCHANGED <<c, d>>
D == UNCHANGED all
Next == A \/ B \/ C \/ D
TypeOK == a \in 0..1 /\ b \in 0..1 /\ c \in 0..2 /\ d \in 0..1
==============================================================================
