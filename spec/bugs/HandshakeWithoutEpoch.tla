------------------------ MODULE HandshakeWithoutEpoch ------------------------
(* Hazard F-25: the handshake carries no epoch and every broker answers it. A slave copies from a deposed master that
   is a slave itself; that broker cuts its log under the slave's feet, and the slave goes on behind the cut, with
   other bytes before it and the right label after it. Whoever joins the SyncStateSet with such a log lacks what was
   acknowledged (HandshakeWithoutEpochLoss). Repaired: both must know the same epoch. *)
(* CODE AutoSwitchHAClient.handshakeWithMaster sends flags and the slave's id but no epoch; AutoSwitchHAConnection
   answers whatever role its broker has, AutoSwitchAcceptSocketService stays open on a slave; the client does not
   compare the header's epoch with ReplicasManager's. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; handshakeWithMaster did not change *)
EXTENDS ControllerMode

HandshakeWithAnyone(s, m) == TRUE
==============================================================================
