------------------------------ MODULE Issue9689 ------------------------------
(* apache/rocketmq #9689: a master that is elected again keeps its role and its connections, and a connection that
   transfers the newest epoch believes that this epoch never ends. Slaves store the messages of the new epoch under
   the old one and cut them at the next handshake. Fixed (#9690): choose the transfer epoch again. *)
(* CODE AutoSwitchHAService.changeToMasterWhenLastRoleIsMaster keeps the connections; AutoSwitchHAConnection keeps
   currentTransferEpoch with an end of -1. *)
(* REPORT inferred: #9689 reports on 5.2.0 an epoch that is not found when a header is built, after a new epoch
   without a change of master; a review of #4236 foresaw the wrong labels in 2022. Fixed by #9690. *)
(* RELEASES 5.0.0 to 5.3.3; fixed in 5.3.4 *)
EXTENDS ControllerMode

NextBatchOfIssue9689(m, s) ==
  LET c    == connection[m][s]
      kept == c.transferEpoch # 0 /\ IndexOf(disk[m].epochFile, c.transferEpoch) # 0
      now  == BatchOfOneEpoch(m, s)
      i    == IF kept THEN IndexOf(disk[m].epochFile, c.transferEpoch) ELSE now.label
  IN [size |-> IF kept THEN Smaller(BatchSize, EndOfLog(m) - EndOfLog(s)) ELSE now.size, label |-> i,
      transferEpoch |-> IF kept \/ (i # 0 /\ i = Len(disk[m].epochFile)) THEN disk[m].epochFile[i].epoch ELSE 0,
      transferEnd |-> -1]
=============================================================================
