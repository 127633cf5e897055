-------------------------- MODULE InsufficientQuorum --------------------------
(* Not enough: let a majority grant the lock. The entries are in memory, so a member that restarts within the lease has
   forgotten whom it granted, and makes a majority for another consumer. Repaired: after its start it grants nothing
   until what it granted before has run out. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS QuorumLock

VotesAtOnce == TRUE
===============================================================================
