--------------------------- MODULE InsufficientPull ---------------------------
(* Not enough: let the returning master pull the offsets from its slaves. Until clients have its route they commit to
   the slave, after the pull as before, and the slave's next synchronization overwrites it. Repaired: a slave whose
   offsets were pulled takes no commits any more. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS SlaveActingMaster

WhoeverServesOffsets(b) == TRUE
===============================================================================
