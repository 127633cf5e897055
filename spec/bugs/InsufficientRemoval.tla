------------------------ MODULE InsufficientRemoval ------------------------
(* Not enough, and worse: the repair of #9897 that is in 5.4.0 to 5.5.1. When a member's connection ends, the master takes it
   out of its own set at once, and not only out of the set that it proposes. So acknowledgements do not ask that member any
   more, while the controller still has it in the SyncStateSet and may elect it: a master that is cut off from its slave and
   from the controller answers SEND_OK alone, with allAckInSyncStateSet=true. minInSyncReplicas=2 refuses the puts that come
   later. Repaired: the confirmed set counts until the controller has stored another one. *)
(* CODE AutoSwitchHAService.removeConnection of 5.4.0, 5.5.0 and 5.5.1: under the write lock syncStateSet.clear() and
   addAll(newSyncStateSet), after markSynchronizingSyncStateSet(newSyncStateSet); getSyncStateSet is then the smaller set,
   GroupTransferService.doWaitTransfer asks it. Before (snapshot, 5.3.x) only the proposal lacked the slave. *)
(* REPORT read from the code: the change is #9897's; no report that we know of. *)
(* RELEASES 5.4.0 to 5.5.1; before, only the proposal lacked the slave *)
EXTENDS Elections

SetWithoutTheLost(b, s) == IF connection[b][s].open THEN broker[b].sss ELSE broker[b].sss \ {s}
=============================================================================
