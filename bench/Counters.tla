------------------------------ MODULE Counters ------------------------------
(* Four counters: (Top + 1) ^ 4 states, four ways on from nearly each. For the cost of a state from 10^5 to 10^8. *)
EXTENDS Naturals
CONSTANT Top
VARIABLES a, b, c, d
TypeOK == a \in 0..Top /\ b \in 0..Top /\ c \in 0..Top /\ d \in 0..Top
Init == a = 0 /\ b = 0 /\ c = 0 /\ d = 0
Next ==
  \/ a < Top /\ a' = a + 1 /\ UNCHANGED <<b, c, d>>
  \/ b < Top /\ b' = b + 1 /\ UNCHANGED <<a, c, d>>
  \/ c < Top /\ c' = c + 1 /\ UNCHANGED <<a, b, d>>
  \/ d < Top /\ d' = d + 1 /\ UNCHANGED <<a, b, c>>
=============================================================================
