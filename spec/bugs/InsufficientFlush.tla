-------------------------- MODULE InsufficientFlush --------------------------
(* Not enough: acknowledge what a replica has in memory. All members hold the message, but a machine crash takes it
   from one that stays electable. Offsets are reported, counted and confirmed only as far as they are flushed. *)
(* CODE AutoSwitchHAClient.reportSlaveMaxOffset sends DefaultMessageStore.getMaxPhyOffset, what is in memory. *)
(* REPORT read from the code: as shipped: AutoSwitchHAClient.reportSlaveMaxOffset reports what is in memory. *)
EXTENDS ControllerMode

DurableEndInMemory(b) == EndOfLog(b)
==============================================================================
