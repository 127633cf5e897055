---- MODULE UnionOfDescribed ----
(* Each set of the union is asked, and {"x"} is compared with {r}: it is not listed first. *)
EXTENDS Integers, TLC

CONSTANT m
VARIABLE r

S == UNION {[h -> 1..2] : h \in SUBSET {"x", "y", "z"}}
Init == r = [x |-> m]
Next == r' = IF (r :> 3) \in S THEN r ELSE r
====
