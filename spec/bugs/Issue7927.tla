------------------------------ MODULE Issue7927 ------------------------------
(* #7927 (Z75): after so many failed attempts to send a message to another broker set it is dropped, and the delay
   offset moves on. Repaired: it is tried until it is delivered. *)
(* REPORT reported: #7927 on 5.1.x; closed as stale, no change names it. *)
(* RELEASES reported on 5.1.x *)
EXTENDS SlaveActingMaster

GivesUpAsReported == TRUE
==============================================================================
