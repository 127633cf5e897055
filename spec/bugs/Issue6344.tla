------------------------------ MODULE Issue6344 ------------------------------
(* apache/rocketmq #6344: a master that is elected again rebuilds its table of queue offsets from the queue while it goes on
   taking messages: the table falls back. Fixed (#6345): who was master before leaves it as it is. *)
(* CODE ReplicasManager.changeToMaster called AutoSwitchHAService.changeToMaster, which calls recoverTopicQueueTable;
   changeToMasterWhenLastRoleIsMaster is the repair. *)
(* REPORT reported: #6344, that the table falls back; fixed by #6345. That two messages get one queue offset is inferred. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS ConsumeQueues

NextOfQueue == QueueMax
==============================================================================
