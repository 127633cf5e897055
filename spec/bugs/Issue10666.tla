------------------------------ MODULE Issue10666 ------------------------------
(* apache/rocketmq #10666 (reported so, open): truncation moves the end of the log in memory and leaves the bytes behind
   it on disk. After a crash the recovery takes them for valid messages, now under an epoch that they do not belong to.
   Not fixed: #10816 was open when it was read, and writes a marker that is not valid instead of clearing the bytes.
   Repaired: the bytes are cleared. *)
(* CODE DefaultMessageStore.truncateDirtyFiles and MappedFileQueue.truncateDirtyFiles move positions in memory only;
   CommitLog.recoverAbnormally reads on into the old bytes. *)
(* REPORT reported: #10666 on 5.5.0; it and the change #10816 are open. *)
(* RELEASES 5.0.0 to 5.5.1 *)
EXTENDS ControllerMode

ResidueAfterTruncationOfIssue10666(d, point) == SubSeq(d.log, point + 1, Len(d.log))
LogAfterRestartOfIssue10666(d)               == d.log \o d.residue
===============================================================================
