------------------------------- MODULE Viewed -------------------------------
(* VIEW leaves out a counter; a constraint bounds it. *)
EXTENDS Naturals
VARIABLES x, steps
Init == x = 0 /\ steps = 0
Next == steps' = steps + 1 /\ x' \in {(x + 1) % 5, (x + 3) % 5}
Seen == <<x, x % 2>>
Short == steps < 6
TypeOK == x \in 0..4 /\ steps \in 0..10
==============================================================================
