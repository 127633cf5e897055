--------------------------- MODULE ConnectedIsInSync ---------------------------
(* Every slave that is connected counts as keeping up: while one hangs, each put asks for its copy and waits. Repaired: who is
   haMaxGapNotInSync behind does not count. *)
(* REPORT a weak rule: DefaultHAService.inSyncReplicasNums has the repaired one. *)
EXTENDS InSyncGap

ConnectedCount == Smaller(Cardinality(listed \cup {0}), 1 + Cardinality({ s \in Slave : connection[s].open }))
==============================================================================
