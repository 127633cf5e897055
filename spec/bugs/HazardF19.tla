------------------------------ MODULE HazardF19 ------------------------------
(* Hazard F-19: a master that restarts and goes on in the same epoch moves that epoch's entry to the end of its log.
   Slaves no longer find the entry and cut acknowledged messages while they are members of the SyncStateSet. Repaired:
   a known epoch is never moved, and a restarted master asks for a new one. *)
(* CODE ReplicasManager.registerBrokerToController (or brokerElect with MASTER_STILL_EXIST) calls changeToMaster with
   the epoch that the file has; AutoSwitchHAService.changeToMaster: lastEpoch() >= masterEpoch,
   truncateSuffixByEpoch(masterEpoch), appendEntry at getMaxPhyOffset. Slaves find no equal (epoch, startOffset) in
   EpochFileCache.findConsistentPoint. *)
EXTENDS AsShipped
==============================================================================
