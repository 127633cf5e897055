------------------------------ MODULE Issue4913 ------------------------------
(* apache/rocketmq #4913: a broker whose first attempt to register came to nothing gave up. Fixed (cf74c3cd8b): it tries
   again. *)
(* REPORT inferred: the title of #4913 asks to update the controller's metadata again after a while; that the broker
   gave up is in the change #4914. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS RegistrationProgress

TriesOnce(r) == identity[r].attempt = 0
==============================================================================
