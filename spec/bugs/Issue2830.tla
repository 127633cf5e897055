------------------------------ MODULE Issue2830 ------------------------------
(* apache/rocketmq #2830: a message was dispatched to consumers before any slave had it, so that they read what its
   producer was never told is stored, and what a failover takes back. Fixed: consumers read up to the confirmOffset. *)
EXTENDS ControllerMode

ReadLimitOfIssue2830(b) == IF broker[b].role = "Master" THEN EndOfLog(b) ELSE disk[b].confirm
=============================================================================
