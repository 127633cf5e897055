------------------------------ MODULE HazardF10 ------------------------------
(* Hazard F-10: recovery does not cut the epoch file to the recovered log. *)
EXTENDS ControllerMode

EpochFileAfterRestartOfHazardF10(file, end) == file
==============================================================================
