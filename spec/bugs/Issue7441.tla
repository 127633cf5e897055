------------------------------ MODULE Issue7441 -------------------------------
(* apache/rocketmq #7441 reports a log that is flooded: a confirmOffset of 0 was taken for one that was never computed,
   and computed with every request. Fixed (#7442): only a negative one was never computed. Inferred from the code before
   it: connections that have acknowledged nothing yet do not count in that computation (#6729), so on an empty log the
   first message may be read before any slave has it. *)
(* CODE CommitLog.getConfirmOffset before 7e4879a3bc computes where confirmOffset is not above 0; allAckInSyncStateSet is
   not asked before 5.2.0. *)
(* REPORT inferred: #7441 reports a log that is flooded (5.1.4); fixed by #7442. *)
(* RELEASES 5.1.1 to 5.1.4; fixed in 5.2.0; 5.0.0 and 5.1.0 compute likewise, in AutoSwitchHAService.getConfirmOffset *)
EXTENDS AsShipped

ReadLimitOfIssue7441(b) ==
  IF broker[b].role = "Master" /\ Cardinality(broker[b].sss) = 1 THEN EndOfLog(b)
  ELSE IF broker[b].role = "Master" /\ disk[b].confirm = 0
  THEN ConfirmWithAsShipped(b, broker[b].sss, Union(b), Connected(b), AcksOn(b))
  ELSE disk[b].confirm
==============================================================================
