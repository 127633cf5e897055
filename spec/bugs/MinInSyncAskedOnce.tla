------------------------- MODULE MinInSyncAskedOnce --------------------------
(* Hazard F-17: minInSyncReplicas is asked before the append only. The set shrinks to the master, and the message
   is acknowledged with one copy. Repaired: ask again before the producer is told. *)
(* CODE CommitLog.asyncPutMessage compares HAService.inSyncReplicasNums with minInSyncReplicas before the append;
   GroupTransferService.doWaitTransfer with ALL_ACK_IN_SYNC_STATE_SET compares the acks with the set as it is then,
   also where it has one member. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; doWaitTransfer changed up to 5.1.2, but not in this *)
EXTENDS ControllerMode

MayAcknowledgeOfMinInSyncAskedOnce(m, offset) ==
  /\ broker[m].role = "Master"
  /\ AckedByMembers(AllAck, InSyncReplicas, 0, AckSet(m), Holders(m, offset))
==============================================================================
