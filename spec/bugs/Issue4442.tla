------------------------------ MODULE Issue4442 ------------------------------
(* apache/rocketmq #4442: a new controller leader answered before it had applied the committed log. It accepts the
   Alter of a master that a committed, not yet applied election has deposed. Fixed: append and apply an empty entry
   first; the repaired reading decides when the entry is applied. *)
(* REPORT inferred: from the change #4442, whose thread describes nothing. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS ControllerMode

DecidedBeforeApplied == FALSE
==============================================================================
