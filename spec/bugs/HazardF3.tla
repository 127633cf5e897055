------------------------------ MODULE HazardF3 ------------------------------
(* Hazard F-3: cleaning takes the dead master out of the set but leaves it as master. *)
EXTENDS ControllerMode

MasterAfterCleanOfHazardF3       == controller.master
SyncStateSetAfterCleanOfHazardF3 == controller.sss \ {controller.master}
=============================================================================
