----------------------------- MODULE DeposedReads -----------------------------
(* Hazard F-35: a controller that does not lead any more has not heard of it, or its thread is late, and answers
   GetReplicaInfo from what it has applied: an earlier master. Repaired: an empty entry is committed before the state is
   read. A broker ignores an epoch older than its own, so what it costs is a broker that follows the wrong master for as
   long as it does not hear of the right one. *)
(* CODE DLedgerController.getReplicaInfo asks roleHandler.isLeaderState, which RoleChangeHandler.handle changes in a thread of
   its own; ControllerEventHandler.run answers a read without a word to others unless isProcessReadEvent is set, whose
   default is false, and evaluates it before the empty entry is appended where it is. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1, with the DLedger controller; getReplicaInfo did not change, ControllerEventHandler.run
   changed in 5.1.0, but not in this *)
EXTENDS ControllerRaft

MayReadAsShipped(q) == serves[q]
==============================================================================
