------------------------------ MODULE Issue4422 ------------------------------
(* apache/rocketmq #4422 (e7bf51f4c2): the check looked only at slaves with a caught-up time, and dropped that time with
   its proposal. A member that had none, or whose removal was not stored, stayed in the SyncStateSet. Here: the check
   looks at the slaves that are connected. Fixed: whose connection ends is removed. *)
(* CODE before e7bf51f4c2 AutoSwitchHAService.maybeShrinkInSyncStateSet went through connectionCaughtUpTimeTable, and
   took the time of whom it removed out of it before the controller had answered; AutoSwitchHAService.removeConnection
   came with the change. *)
(* REPORT inferred: from the change e7bf51f4c2 (#4422), whose thread describes nothing; that a member stays is
   read from the code before it. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS Membership

FallenBehindIfConnected(b, s) == connection[b][s].open /\ connection[b][s].ack < EndOfLog(b)
=============================================================================
