----------------------------- MODULE LocalPrimes -----------------------------
(* A LET's operators prime their parameters. TLC finds Stays violated in the second state. *)
EXTENDS Naturals
VARIABLES x, y
Set(v, e) == v' = e
Init == x = 0 /\ y = 0
TypeOK == x \in 0..3 /\ y \in 0..3
Next == \/ (LET Put(v, e) == Set(v, e) IN Put(x, (x + 1) % 4)) /\ UNCHANGED y
        \/ x' = x /\ y' = y
Stays == [][LET Keeps(e) == LET Held(f) == UNCHANGED f IN Held(e) IN Keeps(y) /\ Keeps(x)]_<<x, y>>
==============================================================================
