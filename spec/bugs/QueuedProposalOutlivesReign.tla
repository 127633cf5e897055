--------------------- MODULE QueuedProposalOutlivesReign ---------------------
(* Hazard F-28: a proposal that waits in the queue outlives the reign in which it was computed. The broker becomes
   master again, forgets what it had proposed, and then the old proposal leaves with the epochs of the new reign.
   Repaired: a proposal carries the epochs of its computation. (With one proposal only, so this is not #9897.) *)
(* CODE AutoSwitchHAService.notifySyncStateSetChanged queues the set in a single-thread executor;
   ReplicasManager.doReportSyncStateSetChanged puts in masterEpoch and syncStateSetEpoch when it sends, and
   changeToSlave does not empty the queue. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; doReportSyncStateSetChanged changed in 5.1.1, but not in this *)
EXTENDS ControllerMode

SentLater == FALSE
==============================================================================
