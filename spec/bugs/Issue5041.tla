------------------------------ MODULE Issue5041 ------------------------------
(* apache/rocketmq #5041 (2298d9bf08): the loop that looks for the last whole message was skipped when everything was
   confirmed already, so a new master kept the first half of a message and wrote the next message behind it. *)
(* REPORT inferred: from the change #5041 for #5040, which speaks of an optimisation. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS HalfMessages
==============================================================================
