------------------------------ MODULE Issue10013 ------------------------------
(* apache/rocketmq #10013 (open): the first election takes whoever asks, also an asyncLearner. *)
(* CODE ReplicasInfoManager.electMaster: isFirstTimeForElect takes the broker that asks, without asking whether it is
   alive or asyncLearner (F-23). *)
(* REPORT reported: #10013 on 5.3.3; it and #10014 are open. *)
(* RELEASES 5.0.0 to 5.5.1; not fixed *)
EXTENDS ControllerMode

FirstElectedOfIssue10013(b) == {b}
===============================================================================
