-------------------------- MODULE AnsweredUncommitted -------------------------
(* Hazard F-32: the wait for an entry ends because the time is over, or because the leader changed, and the controller
   answers SUCCESS all the same. The next leader does not have the entry. Repaired: the code of the answer is looked at. *)
(* CODE DLedgerController.appendToDLedgerAndWait calls dLedgerFuture.get and returns true unless that throws; DLedger
   0.3.1.2 completes the future with TERM_CHANGED or WAIT_QUORUM_ACK_TIMEOUT (DLedgerEntryPusher), which do not throw. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1, with the DLedger controller; appendToDLedgerAndWait changed in 5.1.1 and 5.1.2, but not in
   this; DLedger is 0.3.1 up to 5.1.0, 0.3.1.2 up to 5.3.3, 0.3.2 in 5.4.0 and 5.5.0, 0.3.3.4 in 5.5.1, with the same
   two codes *)
EXTENDS ControllerRaft

AnyEndIsSuccess == FALSE
==============================================================================
