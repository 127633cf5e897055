--------------------------- MODULE InsufficientWait ---------------------------
(* Not enough: let the returning master wait for all its slaves, listed or not, so that it misses none that acted
   (InsufficientListing). A slave that does not come back keeps it isolated. Repaired: it waits for the listed ones. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS SlaveActingMaster

EverySlaveWasPulled == \A s \in Slave : member[s].pulled
===============================================================================
