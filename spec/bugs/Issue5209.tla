------------------------------ MODULE Issue5209 ------------------------------
(* apache/rocketmq #5209 asked whether a new master should cut its log to its confirmOffset. It must not: a slave
   learns the confirmOffset after the producers were told. *)
EXTENDS ControllerMode

LogAtPromotionOfIssue5209(b) == Prefix(disk[b].log, disk[b].confirm)
=============================================================================
