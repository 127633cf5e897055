------------------------------ MODULE AsShipped ------------------------------
(***************************************************************************)
(* The rules as the Java snapshot has them (develop, 2025-09). A .cfg puts *)
(* any of them in place of the repaired rule of the same name.             *)
(* In modules of bugs/ instead, since they need more state: the epoch file *)
(* in memory beside the one on disk (HazardF7), remembered reports of      *)
(* heartbeats (HazardF4), replies after a demotion (HazardF29), caught-up  *)
(* times that are refreshed without an ack (HazardF15).                    *)
(* Known differences from the Java, on which no verdict is known to depend:*)
(* the first ack of a handshake does not move the master's confirmOffset;  *)
(* a connection chooses its epoch at the first batch, not at the slave's   *)
(* first report; an acknowledgement asks whether the message is still at   *)
(* its offset, the Java only whether the offset is covered; a slave whose  *)
(* log has alien bytes goes on copying, the Java closes the connection and *)
(* shakes hands again;                                                     *)
(* a restarted broker's own election is not notified to the others, who    *)
(* poll; nobody is designated before the first election. Stale endOffsets  *)
(* in memory (F-9) are no state.                                           *)
(***************************************************************************)
EXTENDS ControllerMode

-----------------------------------------------------------------------------
(* Acknowledgement and confirmation *)

(* A copy in memory counts. *)
DurableEndAsShipped(b) == EndOfLog(b)

(* Connections are counted, an older one of the same slave too; the role and the minimum are not asked again. *)
MayAcknowledgeAsShipped(m, offset) ==
  LET reached == { s \in Connected(m) \ {m} : connection[m][s].ack >= offset }
      twins   == { s \in Connected(m) \ {m} : connection[m][s].twin >= offset }
      Acks(S) == 1 + Cardinality(reached \cap S) + Cardinality(twins \cap S)
  IN AckedAsShipped(AllAck, InSyncReplicas, AckSet(m), Acks(AckSet(m)), Acks(Broker))

(* The larger of the local and the remote set is compared with the minimum. *)
MayAppendAsShipped(b) ==
  /\ broker[b].role = "Master"
  /\ MembersSuffice(broker[b].sss, MinInSyncReplicas) \/ MembersSuffice(broker[b].pending, MinInSyncReplicas)

(* The size of the local set decides, whatever is under way. *)
ReadLimitAsShipped(b) ==
  IF broker[b].role = "Master" /\ (Cardinality(broker[b].sss) = 1 \/ ~AllAck) THEN EndOfLog(b) ELSE disk[b].confirm

ConfirmWithAsShipped(m, members, connected, acks) ==
  ConfirmAtMasterAsShipped(m, members, connected, acks, EndOfLog(m),
                           IF Cardinality(broker[m].sss) = 1 THEN EndOfLog(m) ELSE disk[m].confirm)

(* Flushing plays no part. *)
ConfirmAfterFlushAsShipped(b) == disk[b].confirm

ConfirmOnSlaveAsShipped(announced, logEnd, old) == ConfirmAtSlaveAsShipped(announced, logEnd, old)

-----------------------------------------------------------------------------
(* SyncStateSet *)

(* Only the last proposal is remembered. *)
PendingWithAsShipped(m, members) == members

(* Proposals wait in a queue and get the epochs that are valid when they leave it. *)
SentAtOnceAsShipped == FALSE

-----------------------------------------------------------------------------
(* Election *)

(* Neither liveness nor the learner flag is looked at. *)
FirstElectedAsShipped(b)    == {b}
EligibleUncleanlyAsShipped  == Broker

(* A restarted master goes on in its epoch, and obeys notifications before it is registered. *)
MayResumeAsShipped(b)       == TRUE
HeedsNoticeAsShipped(b)     == TRUE

(* Without cleanLivingBroker=true a set whose master is stored is not cleaned, whether it is alive or not; with it
   nothing is asked (ReplicasInfoManager.cleanBrokerData, seen on 5.1.4 to 5.5.0). So whoever wants it gets it. *)
MayBeCleanedAsShipped       == TRUE

(* A cleaning begins to count anew, so a request of before it may be accepted after it. *)
NumberMayReturnAsShipped    == used.cleans < MaxCleans

(* Cleaning forgets the epochs and the set. *)
EpochAfterCleanAsShipped    == 0
SssEpochAfterCleanAsShipped == 0
SyncStateSetAfterCleanAsShipped == {}

-----------------------------------------------------------------------------
(* Change of role *)

(* A smaller epoch is refused without consequence, an equal epoch moves its entry to the end of the log, an entry
   that would begin where the last one begins is refused. *)
EpochFileAtPromotionAsShipped(file, e, logEnd) ==
  IF e < LastEpoch(file) THEN file ELSE AppendAsShipped(DropFromEpoch(file, e), Entry(e, logEnd))

WaitingAfterDemotionAsShipped(b)          == broker[b].waiting
EpochFileAfterRestartAsShipped(file, end) == file

(* Truncation moves the end of the log in memory only. *)
ResidueAfterTruncationAsShipped(d, point) == SubSeq(d.log, point + 1, Len(d.log)) \o d.residue
LogAfterRestartAsShipped(d)               == d.log \o d.residue

-----------------------------------------------------------------------------
(* Replication *)

(* Whoever answers at the address is followed, and every broker accepts connections. *)
HandshakeAllowedAsShipped(s, m) == TRUE

(* Without an epoch file nothing is cut. *)
TruncationPointAsShipped(s, m) ==
  IF disk[s].epochFile = <<>> THEN EndOfLog(s)
  ELSE ConsistentPoint(disk[s].epochFile, EndOfLog(s), disk[m].epochFile, EndOfLog(m))

EpochFileAfterHandshakeAsShipped(s, m, point) == DropFromOffset(disk[s].epochFile, point)

(* The idle heartbeat reports the truncation point even where the log does not reach it. *)
FirstAckAsShipped(s, point) == IF point > EndOfLog(s) THEN Smaller(point, MaxPuts) ELSE -1

TwinAfterReconnectAsShipped(m, s) ==
  IF connection[m][s].open THEN Larger(connection[m][s].ack, connection[m][s].twin) ELSE -1

(* The connection remembers the epoch that it transfers and where that ends; the end of the newest epoch stays open
   for ever. A batch that is cut at the end already carries the label of the next epoch. *)
NextBatchAsShipped(m, s) ==
  LET file   == disk[m].epochFile
      next   == EndOfLog(s)
      c      == connection[m][s]
      EndAt(i) == IF i = Len(file) THEN -1 ELSE file[i + 1].start
      first  == IndexAt(file, next)
      i      == IF c.transferEpoch = 0 THEN first ELSE IndexOf(file, c.transferEpoch)
      end    == IF c.transferEpoch = 0 /\ i # 0 THEN EndAt(i) ELSE c.transferEnd
      room   == Smaller(BatchSize, EndOfLog(m) - next)
      cut    == i # 0 /\ i < Len(file) /\ end # -1 /\ next + room > end
      label  == IF cut THEN i + 1 ELSE i
  IN [size |-> IF cut THEN Larger(end - next, 0) ELSE room, label |-> label,
      transferEpoch |-> IF label = 0 THEN c.transferEpoch ELSE file[label].epoch,
      transferEnd |-> IF cut THEN EndAt(i + 1) ELSE end]

EpochFileOnHeaderAsShipped(file, x) == AppendAsShipped(file, x)

=============================================================================
