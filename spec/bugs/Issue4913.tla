------------------------------ MODULE Issue4913 ------------------------------
(* apache/rocketmq #4913: a broker whose first attempt to register came to nothing gave up. Fixed (cf74c3cd8b): it tries
   again. *)
EXTENDS RegistrationProgress

TriesOnce(r) == identity[r].attempt = 0
==============================================================================
