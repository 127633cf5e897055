-------------------------------- MODULE Bits --------------------------------
(* What module Bitwise does to numbers, which are strings of bits; of negative ones there is none. *)
EXTENDS Integers, Bitwise
VARIABLES a, b
Numbers == 0..37
Init == a \in Numbers /\ b \in {0, 1, 6, 31, 32, 100}
Next ==
  \/ a' = (a ^^ b) % 38 /\ b' = b
  \/ a' = a /\ b' = (a | b) & 63
  \/ a' = shiftR(a + b, a % 3) % 38 /\ b' = shiftR(b, 70)
  \/ a' = (a & b) /\ b' \in {a | 5, a ^^ a}
Same ==
  /\ (a ^^ b) = (a | b) - (a & b)
  /\ (a & b) + (a | b) = a + b
  /\ (a ^^ b) ^^ b = a
  /\ a >= 38 \/ a < 0 => (a - 50) & b = 0
Bounded == (a | b) <= 127
==============================================================================
