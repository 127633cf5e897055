---------------------------- MODULE ClearedTooEarly ----------------------------
(* From DLedger to Controller mode: the store is cleared while messages wait for their consumers. The deployment guide says to
   forbid writing and to wait, for instance for as long as messages are kept. *)
(* REPORT by the design: the deployment guide of Controller mode, upgrade from DLedger *)
(* RELEASES all with Controller mode *)
EXTENDS EmptyUpgrade

AtOnce == TRUE
==============================================================================
