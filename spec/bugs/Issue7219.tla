------------------------------ MODULE Issue7219 ------------------------------
(* apache/rocketmq #7219: the check that removes members which never connected failed with an exception (a collection
   changed while it was iterated over), and a timer whose task fails never runs it again. Fixed (#7220). *)
(* CODE AutoSwitchHAService.maybeShrinkSyncStateSet before 017ad11047 removes from the set that it goes through;
   ReplicasManager.schedulingCheckSyncStateSet runs it with scheduleAtFixedRate. *)
(* REPORT reported: #7219, fixed by #7220. *)
(* RELEASES 5.1.1 to 5.1.3; fixed in 5.1.4; before, members that never connected were not looked for *)
EXTENDS Membership

ShrinkCheckNeverEnds(b) == FALSE
=============================================================================
