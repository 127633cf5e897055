---- MODULE ExceptAtAnotherKind ----
(* A model value is outside the domain 1..1, where EXCEPT changes nothing. Machine code wanted a number, and failed. *)
EXTENDS Integers, TLC
CONSTANT other
VARIABLE x

Init == x \in {other, -2, 1}
Next == x' \in {other, -2, 1}
Kept == DOMAIN [(1 :> 0) EXCEPT ![x] = @, ![x] = 7] = {1}
====
