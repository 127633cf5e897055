------------------------- MODULE ConnectionsCounted --------------------------
(* Hazard F-16: acknowledgements count connections. A slave that reconnects before its old connection is reaped
   counts twice, so a message is acknowledged without the third member. Repaired: count members. *)
(* CODE GroupTransferService.doWaitTransfer counts HAConnections with slaveAckOffset >= nextOffset: ackNums++ for
   each, whoever is behind it; DefaultHAService.addConnection does not close an older connection of the same slave. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; doWaitTransfer changed up to 5.1.2, but not in this *)
EXTENDS AsShipped
==============================================================================
