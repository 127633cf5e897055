------------------------------ MODULE Issue6728 ------------------------------
(* apache/rocketmq #6728: a connection that has not acknowledged yet counted with its initial offset, so the
   confirmOffset fell back when a member of the SyncStateSet reconnected. Fixed (#6729): such a connection is skipped,
   which opened hazard F-18; repaired: it freezes the confirmOffset. *)
(* CODE AutoSwitchHAService.computeConfirmOffset before 5dc2e20efc counts AutoSwitchHAConnection.getSlaveAckOffset of
   every connection, -1 before the first ack. *)
(* REPORT reported: #6728 on 5.1.0, as a confirmOffset of -1; fixed by #6729. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS ControllerMode

ConfirmWithOfIssue6728(m, local, members, connected, acks) ==
  ConfirmAtMasterAsDesigned(m, members, connected, acks, DurableEnd(m), disk[m].confirm)
=============================================================================
