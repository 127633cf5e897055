------------------------------ MODULE Issue5663 ------------------------------
(* apache/rocketmq #5663: while an expansion of the SyncStateSet is under way, acknowledgements asked only the
   set that was confirmed last. The controller stores {A, B}, its reply is lost, A acknowledges a message alone,
   A fails and B, which never saw the message, is elected. Fixed (#5798): ask the union of both sets. *)
(* CODE GroupTransferService.doWaitTransfer of 5.1.0 asks the set of AutoSwitchHAService.getSyncStateSet, which knows
   of no proposal. *)
(* REPORT reported: #5663, with this story; fixed by #5798. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS ControllerMode

AckSetOfIssue5663(b) == broker[b].sss
=============================================================================
