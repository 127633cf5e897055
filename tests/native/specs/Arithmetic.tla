----------------------------- MODULE Arithmetic -----------------------------
(* Integer operators, negative operands included: division and remainder round down as TLC's. *)
EXTENDS Integers
VARIABLES a, b, r
vars == <<a, b, r>>
TypeOK == a \in -7..7 /\ b \in -3..3 /\ r \in -400..400
Init == a \in -7..7 /\ b \in -3..3 /\ r = 0
Divide == b # 0 /\ b > 0 /\ r' = a \div b /\ UNCHANGED <<a, b>>
Remainder == b > 0 /\ r' = a % b /\ UNCHANGED <<a, b>>
Power == b > 0 /\ r' = a ^ b /\ UNCHANGED <<a, b>>
Negate == r' = -r /\ UNCHANGED <<a, b>> /\ r # 0
Mix == r' = (a * b) - (a + b) /\ UNCHANGED <<a, b>>
Next == Divide \/ Remainder \/ Power \/ Negate \/ Mix
Law == b > 0 => a = b * (a \div b) + (a % b)
==============================================================================
