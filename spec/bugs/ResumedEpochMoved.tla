-------------------------- MODULE ResumedEpochMoved --------------------------
(* Hazard F-19: a master that restarts and goes on in the same epoch moves that epoch's entry to the end of its log.
   Slaves no longer find the entry; they go back to an earlier epoch that both have, and cut acknowledged messages while
   they are members of the SyncStateSet (ResumedEpochMovedEarlier). Without an earlier common epoch the Java refuses the
   handshake (NoCommonEntry) and cuts nothing; ResumedEpochMoved has the repaired handshake, which then begins at 0.
   Repaired: a known epoch is never moved, and a restarted master asks for a new one. *)
(* CODE ReplicasManager.registerBrokerToController (or brokerElect with MASTER_STILL_EXIST) calls changeToMaster with
   the epoch that the file has; AutoSwitchHAService.changeToMaster: lastEpoch() >= masterEpoch,
   truncateSuffixByEpoch(masterEpoch), appendEntry at getMaxPhyOffset. Slaves find no equal (epoch, startOffset) in
   EpochFileCache.findConsistentPoint. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; AutoSwitchHAService.changeToMaster changed in 5.1.0 and 5.1.1, but not in this *)
EXTENDS AsShipped

(* The epoch is moved, and nothing else is as in the Java: an entry at the same offset is replaced (not Issue9942). *)
EpochFileMoved(file, e, logEnd) == AppendNewerWins(DropFromEpoch(file, e), Entry(e, logEnd))

(* For ResumedEpochMovedEarlier: no request of an earlier life is under way (that would be InsufficientResume). *)
NoLateRequest == \A r \in requests : broker[r.from].role \notin {"Down", "Fenced"}
==============================================================================
