-------------------------- MODULE InsufficientFlush --------------------------
(* Not enough: acknowledge what a replica has in memory. All members hold the message, but a machine crash takes it
   from one that stays electable. Offsets are reported, counted and confirmed only as far as they are flushed. *)
EXTENDS ControllerMode

DurableEndInMemory(b) == EndOfLog(b)
==============================================================================
