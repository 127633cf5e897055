------------------------------ MODULE Issue6703 ------------------------------
(* apache/rocketmq #6703: after a machine crash the confirmOffset of the checkpoint was kept although the log had
   lost its unflushed end, so dispatching began beyond the log. Fixed (41e9b8cf06): clamp it to the log. *)
(* REPORT reported: #6703, fixed by #6704. *)
(* RELEASES none; the checkpoint's confirmOffset and its fix are both new in 5.1.1 *)
EXTENDS AsShipped

ConfirmAfterRestartOfIssue6703(d, end) == d.confirm
=============================================================================
