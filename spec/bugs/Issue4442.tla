------------------------------ MODULE Issue4442 ------------------------------
(* apache/rocketmq #4442: a new controller leader called itself one before it had applied the committed log. If it decides
   then, it accepts the Alter of a master that a committed, not yet applied election has deposed. Fixed: append and apply
   an empty entry first; the repaired reading decides when the entry is applied. *)
(* CODE before 6645d0a42b DLedgerController.isLeaderState was true before the empty entry was appended;
   DLedgerController.startScheduling, which runs the requests that wait, came behind it. *)
(* REPORT inferred: from the change #4442, whose thread describes nothing. That a request was decided before
   that entry is not in the code. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS ControllerMode

DecidedBeforeApplied == FALSE
==============================================================================
