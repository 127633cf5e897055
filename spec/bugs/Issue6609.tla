------------------------------ MODULE Issue6609 ------------------------------
(* apache/rocketmq #6609: a restarted broker showed its whole log to consumers, also what was never confirmed and
   what the new master makes it cut. Fixed (#6618): the confirmOffset is kept in the checkpoint. *)
EXTENDS ControllerMode

ConfirmAfterRestartOfIssue6609(d, end) == end
=============================================================================
