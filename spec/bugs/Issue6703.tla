------------------------------ MODULE Issue6703 ------------------------------
(* apache/rocketmq #6703: after a machine crash the confirmOffset of the checkpoint is not corrected although the log has
   lost its unflushed end. If it stays beyond the log, consumers are let read there. Fixed (41e9b8cf06): it ends with the
   last message that it covers whole. *)
(* CODE CommitLog.recoverAbnormally before 41e9b8cf06 sets a confirmOffset beyond the log to the log's end, which need
   not be that of a confirmed message; since b410557e87 (#6618), with which it is kept at all. *)
(* REPORT inferred: #6703, fixed by #6704, reports a confirmOffset that is not corrected; that it lies beyond the log is
   not in the code, which had it end there already. *)
(* RELEASES none; the checkpoint's confirmOffset and its fix are both new in 5.1.1 *)
EXTENDS AsShipped

ConfirmAfterRestartOfIssue6703(d, end) == d.confirm
=============================================================================
