------------------------------ MODULE HazardF17 ------------------------------
(* Hazard F-17: minInSyncReplicas is asked before the append only. The set shrinks to the master, and the message
   is acknowledged with one copy. Repaired: ask again before the producer is told. *)
EXTENDS ControllerMode

MayAcknowledgeOfHazardF17(m, offset) ==
  /\ broker[m].role = "Master"
  /\ AckedByMembers(AllAck, InSyncReplicas, 0, AckSet(m), Holders(m, offset))
==============================================================================
