------------------------------ MODULE Waiting ------------------------------
(* ControllerMode with the reading of #4442, whose own configurations have no late notifications. *)
EXTENDS ControllerMode

DecidedBeforeApplied == FALSE
============================================================================
