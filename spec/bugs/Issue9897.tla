------------------------------ MODULE Issue9897 ------------------------------
(* apache/rocketmq #9897 reports that a broker that is cut off stays in the SyncStateSet for minutes, since two
   connections ended at once. Inferred with it (hazard F-6 b): proposals are computed from the confirmed set, wait in a
   queue and get the epochs that are valid when they leave it. The second of two proposals passes the controller's checks
   although it was computed before the first was stored: a dead broker returns into the set, or a live one drops out of it
   while the master counts on it. Merged, in 5.4.0, with a rule that loses messages by itself (InsufficientRemoval).
   Repaired: a proposal carries the epochs of its computation. *)
(* CODE AutoSwitchHAService.removeConnection and maybeExpandInSyncStateSet compute from getLocalSyncStateSet;
   ReplicasManager.doReportSyncStateSetChanged sends later with the syncStateSetEpoch of that moment (F-6 b). *)
(* REPORT inferred: #9897 reports on 5.3.2 a set that keeps a dead broker after two connections ended at once. *)
(* RELEASES 5.0.0 to 5.5.1; since 5.4.0 no more for two connections that end together (removeConnection) *)
EXTENDS ControllerMode

SentAtOnceOfIssue9897 == FALSE
=============================================================================
