------------------------------ MODULE Issue10666 ------------------------------
(* apache/rocketmq #10666: truncation moved the end of the log in memory and left the bytes behind it on disk. After
   a crash the recovery took them for valid messages, now under an epoch that they do not belong to.
   Fixed (#10816): the bytes are cleared. *)
(* CODE DefaultMessageStore.truncateDirtyFiles and MappedFileQueue.truncateDirtyFiles move positions in memory only;
   CommitLog.recoverAbnormally reads on into the old bytes. *)
EXTENDS ControllerMode

ResidueAfterTruncationOfIssue10666(d, point) == SubSeq(d.log, point + 1, Len(d.log))
LogAfterRestartOfIssue10666(d)               == d.log \o d.residue
===============================================================================
