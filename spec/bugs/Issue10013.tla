------------------------------ MODULE Issue10013 ------------------------------
(* apache/rocketmq #10013 (open): the first election takes whoever asks, also an asyncLearner. *)
EXTENDS ControllerMode

FirstElectedOfIssue10013(b) == {b}
===============================================================================
