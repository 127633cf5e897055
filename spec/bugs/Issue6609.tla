------------------------------ MODULE Issue6609 ------------------------------
(* apache/rocketmq #6609: a restarted broker showed its whole log to consumers, also what was never confirmed and
   what the new master makes it cut. Fixed (#6618): the confirmOffset is kept in the checkpoint. *)
(* CODE CommitLog.getConfirmOffset of 5.1.0 is the end of the log without duplicationEnable. *)
(* REPORT reported: #6609, fixed by #6618. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS ControllerMode

ConfirmAfterRestartOfIssue6609(d, end) == end
=============================================================================
