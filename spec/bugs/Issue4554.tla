------------------------------ MODULE Issue4554 -------------------------------
(* apache/rocketmq #4554 (Z78): without enableSlaveActingMaster nobody counts the living replicas, the number stays 1,
   and a put that asks for two copies was refused (IN_SYNC_REPLICAS_NOT_ENOUGH) although both replicas run. Fixed: the
   number is asked only in that mode. *)
(* CODE before ef37465e59 CommitLog.asyncPutMessage took the smaller of getAliveReplicaNumInGroup and the replicas in
   step. *)
(* REPORT inferred: from the change #4554, whose title names the answer and the setting. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS MasterSlave

MayAppendOfIssue4554 == Up(0) /\ (SyncMaster => InSyncReplicas <= (IF ActingMaster THEN InSync ELSE 1))
\* All replicas run, and a message is refused.
AllRunning == Alive = Id /\ (\A s \in Slave : connection[s].open) => MayAppend
==============================================================================
