------------------------------ MODULE Issue7923 ------------------------------
(* #7923 (Z74): an acting slave looks for a queue to send to and finds its own broker set, which has no master: every
   attempt fails. Repaired: another set is chosen. *)
EXTENDS SlaveActingMaster

OwnEscapeTargets == {"own"}
==============================================================================
