---------------------------- MODULE NegativeBits ----------------------------
(* A number becomes negative, and its bits have no value. *)
EXTENDS Integers, Bitwise
VARIABLE a
Init == a = 3
Next == a > -2 /\ a' = a - 1
Same == (a ^^ 5) >= 0
==============================================================================
