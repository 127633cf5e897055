------------------------------ MODULE Partial ------------------------------
(* The third step applies a sequence outside its domain. *)
EXTENDS Naturals, Sequences
VARIABLES at, list

Init == at = 1 /\ list = <<3, 5>>
Step == at' = at + 1 /\ list' = [list EXCEPT ![1] = list[at]]
Next == Step
==============================================================================
