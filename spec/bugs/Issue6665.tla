------------------------------ MODULE Issue6665 -------------------------------
(* apache/rocketmq #6665 (Z6): a new master looks for half a message at the end of its log, and began at the end minus
   what is not dispatched yet; but dispatching was counted up to the confirmOffset, not up to the end. It begins within
   a message, takes that for damaged, and cuts acknowledged messages off. Here nothing is dispatched yet. Fixed (#6666):
   begin where dispatching is. *)
(* CODE AutoSwitchHAService.truncateInvalidMsg before 709537595c begins at getMaxPhyOffset less
   DefaultMessageStore.dispatchBehindBytes. *)
(* REPORT reported: #6665, as more and more messages that are truncated; fixed by #6666. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS HalfMessages

LogAtPromotionOfIssue6665(b) ==
  LET log   == disk[b].log
      begin == Len(log) - disk[b].confirm
  IN IF begin = 0 \/ begin \in Ends(log) THEN WholeMessages(log) ELSE Prefix(log, begin)
==============================================================================
