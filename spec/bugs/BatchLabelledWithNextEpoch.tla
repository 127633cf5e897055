--------------------- MODULE BatchLabelledWithNextEpoch ----------------------
(* Hazard F-12: a batch that is cut at the end of an epoch carries the label of the next one, so a slave that
   connects just there never learns the epoch of the bytes it gets. Repaired: the label belongs to the first byte,
   and the handshake hands over the master's entries up to the truncation point. *)
(* CODE AutoSwitchHAConnection.AbstractWriteSocketService.transferToSlave cuts the batch at
   currentTransferEpochEndOffset and calls changeTransferEpochToNext before buildTransferHeaderBuffer, so the header
   carries the next epoch; AutoSwitchHAClient.HAClientReader appends that entry only. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; transferToSlave changed in 5.1.1 and 5.3.4, but not in this *)
EXTENDS AsShipped
==============================================================================
