------------------------------ MODULE HazardF2 ------------------------------
(* Hazards F-1 and F-2: cleaning forgets the next id, so a new broker gets an id that lies on another broker's disk.
   Repaired: the counter survives the cleaning, and only the id at the counter is accepted. *)
EXTENDS Registration

NextIdAfterCleanOfHazardF2         == 1
FirstIdAcceptedOfHazardF2(id)      == id = 1
UnassignedIdAcceptedOfHazardF2(id) == TRUE
=============================================================================
