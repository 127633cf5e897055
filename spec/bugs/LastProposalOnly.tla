-------------------------- MODULE LastProposalOnly --------------------------
(* Hazard F-6 a: of several proposals under way the master remembers only the last. The controller stores {A, C}, the
   master counts on {A, B}, and C is elected without what A and B have. Repaired: acknowledgements ask the
   union of all unresolved proposals. *)
(* CODE AutoSwitchHAService.markSynchronizingSyncStateSet: remoteSyncStateSet.clear() before addAll, so of two
   proposals under way the first is forgotten; GroupTransferService.doWaitTransfer and computeConfirmOffset ask
   getSyncStateSet, the union of the local set and the last proposal. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.1.1 to 5.5.1; markSynchronizingSyncStateSet did not change; before, no proposal is remembered (Issue5663)
   *)
EXTENDS ControllerMode

PendingWithOfLastProposalOnly(m, members) == members
=============================================================================
