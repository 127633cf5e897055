------------------------------ MODULE Issue2830 ------------------------------
(* apache/rocketmq #2830: a message was dispatched to consumers before any slave had it, so that they read what its
   producer was never told is stored, and what a failover takes back. Fixed: consumers read up to the confirmOffset. *)
(* CODE the dispatch of 4.9.x, DefaultMessageStore.doReput, goes to CommitLog.getMaxOffset. *)
(* REPORT reported: #2830, a discussion about SYNC_MASTER that was closed without a change; that it takes back what
   was read in Controller mode is inferred. *)
(* RELEASES never in Controller mode; #4449 let the dispatch end at the confirmOffset before 5.0.0 *)
EXTENDS ControllerMode

ReadLimitOfIssue2830(b) == IF broker[b].role = "Master" THEN EndOfLog(b) ELSE disk[b].confirm
=============================================================================
