----------------------- MODULE FreshConnectionSkipped ------------------------
(* Hazard F-18 (opened by the fix of #6728): a member whose new connection has not acknowledged yet is skipped, so
   the confirmOffset passes it. Repaired: it freezes the confirmOffset. *)
(* CODE AutoSwitchHAService.computeConfirmOffset skips connections with getSlaveAckOffset() <= 0; reached from
   updateConfirmOffsetWhenSlaveAck of another slave while a member's new connection has not reported yet. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.1.1 to 5.5.1; computeConfirmOffset changed in 5.1.4, but not in this; before, such a connection counted
   with -1 (Issue6728) *)
EXTENDS ControllerMode

ConfirmWithOfFreshConnectionSkipped(m, local, members, connected, acks) ==
  ConfirmAtMasterAsShipped(m, members, connected, acks, DurableEnd(m), disk[m].confirm)
==============================================================================
