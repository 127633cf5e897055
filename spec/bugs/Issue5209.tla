------------------------------ MODULE Issue5209 ------------------------------
(* apache/rocketmq #5209 asked whether a new master should cut its log to its confirmOffset. It must not: a slave
   learns the confirmOffset after the producers were told. *)
(* REPORT by the design: #5209 asks whether the log should be cut to the confirmOffset; RocketMQ does not. *)
(* RELEASES none; never a rule of RocketMQ *)
EXTENDS ControllerMode

LogAtPromotionOfIssue5209(b) == Prefix(disk[b].log, disk[b].confirm)
=============================================================================
