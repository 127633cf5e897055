------------------------------ MODULE Issue10013 ------------------------------
(* apache/rocketmq #10013 (open): the first election takes whoever asks, also an asyncLearner. *)
(* CODE ReplicasInfoManager.electMaster: isFirstTimeForElect takes the broker that asks, without asking whether it is
   alive or asyncLearner (F-23). *)
EXTENDS ControllerMode

FirstElectedOfIssue10013(b) == {b}
===============================================================================
