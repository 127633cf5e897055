------------------------- MODULE InsufficientConfirm -------------------------
(* Not enough: count only flushed bytes, on the master too, but compute the confirmOffset only when a slave
   acknowledges. A slave's ack may come before the master's own flush; then a message is acknowledged above the
   confirmOffset, and a third broker that reaches only the confirmOffset is taken into the set. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS ControllerMode

ConfirmNotMovedByFlush(b) == disk[b].confirm
==============================================================================
