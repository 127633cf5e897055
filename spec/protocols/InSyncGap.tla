------------------------------- MODULE InSyncGap -------------------------------
(***************************************************************************)
(* MasterSlave with the gap up to which a slave counts as keeping up: a    *)
(* connected slave whose acknowledgement is haMaxGapNotInSync or more      *)
(* behind the end of the log is not in sync. With enableAutoInSyncReplicas *)
(* a put then asks for fewer copies. An offset is a number of messages     *)
(* (the Java counts bytes, 256 MiB by default).                            *)
(*                                                                         *)
(* Learned: the gap bounds how many messages wait for a slave that hangs   *)
(* and keeps its connection; it is not 0 (bugs/ConnectedIsInSync).         *)
(***************************************************************************)
EXTENDS MasterSlave

CONSTANTS
  \* @type: Int;
  HaMaxGapNotInSync

(* DefaultHAService.inSyncReplicasNums with isInSyncSlave, at the offset where the message goes; and the members that the
   nameserver lists (CommitLog.asyncPutMessage). *)
InSyncByGap ==
  LET near == { s \in Slave : connection[s].open /\ End(0) - connection[s].ack < HaMaxGapNotInSync }
  IN Smaller(Cardinality(listed \cup {0}), 1 + Cardinality(near))

Blocked == { w \in waiting : ~Acknowledgeable(w) }

\* More messages than haMaxGapNotInSync allows wait for slaves that are connected and do not follow.
BlockedIsBounded ==
  (\A s \in Slave : connection[s].open) =>
    Cardinality({ w \in Blocked : \A s \in Slave : connection[s].ack < Position(w.id) }) <= HaMaxGapNotInSync

\* A message asks for copies of slaves that are gone or lag by the gap, or for fewer than there are slaves that keep up.
NeedsFollowTheGap ==
  [][\A w \in waiting' \ waiting :
       LET lags(s)  == ~connection[s].open \/ connection[s].ack <= End(0) - HaMaxGapNotInSync
           keepUp   == Cardinality({ s \in Slave : ~lags(s) }) + 1
           listedUp == Cardinality(listed \ {0}) + 1
       IN w.need = AcksNeededActingMaster(AutoDegrade, InSyncReplicas, MinInSyncReplicas,
                                          IF listedUp < keepUp THEN listedUp ELSE keepUp)]_vars
==============================================================================
