------------------------- MODULE ActingRouteWritable -------------------------
(* A slave without enableSlaveActingMaster registers the topics as it has them, so producers are sent to a set without a
   master. Repaired: the lowest slave's registration takes the permission to write away. *)
(* REPORT read from the code: no report that we know of. *)
EXTENDS SlaveActingMaster

WritableAsRegistered(was) == TRUE
==============================================================================
