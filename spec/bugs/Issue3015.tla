------------------------------ MODULE Issue3015 -------------------------------
(* apache/rocketmq #3015 (Z15): a master that returns without the end of its log takes the longer log of its slave for
   copies of what it appends next: SEND_OK comes at once, and the slave never gets those bytes. Fixed (#3016) by closing
   such a connection; RIP-34 (5c350af174) dropped that check again, and AutoSwitchHAConnection never had it
   (TruncationBeyondLog). Repaired: what the slave has beyond its master is cut before it reports. *)
(* CODE DefaultHAConnection.ReadSocketService.processReadEvent sets slaveAckOffset = readOffset without comparing it
   with getMaxPhyOffset; GroupTransferService.doWaitTransfer counts it. *)
(* REPORT inferred: #3015 writes arbitrary bytes to the HA port; a master that lags behind its slave and still
   answers SEND_OK is #2706 and #3349. The check is #3016. *)
(* RELEASES 5.0.0 to 5.5.1, and up to 4.9.2 *)
EXTENDS MasterSlave

KeptWhatever(s) == End(s)
==============================================================================
