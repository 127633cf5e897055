------------------------------ MODULE HazardF1 ------------------------------
(* Hazard F-1: cleaning the metadata of a broker set resets the epochs, so an epoch is given out twice and brokers
   that know a greater one ignore every election. Repaired: the epochs survive the cleaning. *)
EXTENDS ControllerMode

EpochAfterCleanOfHazardF1    == 0
SssEpochAfterCleanOfHazardF1 == 0
=============================================================================
