------------------------- MODULE ReadBeyondProposal --------------------------
(* Hazard F-22: while an expansion from {A} is under way, consumers may read to the end of A's log because the
   local set has one member. The controller may have stored the expansion already. Repaired: ask the union. *)
(* CODE CommitLog.getConfirmOffset returns getMaxPhyOffset where AutoSwitchHAService.getLocalSyncStateSet().size() ==
   1, while the proposal to expand is under way (isSynchronizingSyncStateSet). *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.1.1 to 5.5.1; CommitLog.getConfirmOffset changed in 5.2.0 and 5.3.0, but not in this; before,
   acknowledgements do not ask who is only proposed *)
EXTENDS ControllerMode

ReadLimitOfReadBeyondProposal(b) ==
  IF broker[b].role = "Master" /\ broker[b].sss = {b} THEN DurableEnd(b) ELSE disk[b].confirm
==============================================================================
