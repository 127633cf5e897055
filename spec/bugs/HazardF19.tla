------------------------------ MODULE HazardF19 ------------------------------
(* Hazard F-19: a master that restarts and goes on in the same epoch moves that epoch's entry to the end of its log.
   Slaves no longer find the entry and cut acknowledged messages while they are members of the SyncStateSet. *)
EXTENDS AsShipped
==============================================================================
