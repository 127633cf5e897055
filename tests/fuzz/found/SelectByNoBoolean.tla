---- MODULE SelectByNoBoolean ----
(* What SelectSeq is given must say yes or no. *)
EXTENDS Sequences

VARIABLE n

Init == n = {"a"}
Next == n' = IF SelectSeq(<<{"a", "b"}>>, LAMBDA k : 1) = <<>> THEN n ELSE n
====
