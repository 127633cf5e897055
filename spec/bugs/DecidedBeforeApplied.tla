------------------------ MODULE DecidedBeforeApplied -------------------------
(* Hazard F-21: a decision whose append takes too long is answered with an error and applied later, and the next
   decision is taken on the state without it. Alter {A} and Elect(B) are both decided on {A, B}; between the two
   A adopts {A} and acknowledges alone. Repaired: decide when the entry is applied. *)
(* CODE DLedgerController.EventScheduler and ControllerEventHandler.run: the event is appended and waited for five
   seconds; if that fails the next handler is evaluated on ReplicasInfoManager without the pending entry, and
   ReplicasInfoManager.applyEvent later applies both without asking again. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; ControllerEventHandler.run did not change *)
EXTENDS ControllerMode

DecidedBeforeApplied == FALSE
==============================================================================
