------------------------------ MODULE AsShipped ------------------------------
(***************************************************************************)
(* The rules as the Java snapshot has them (develop, 2025-09-19), each     *)
(* with the class and method that it was read from. HAS, HAC, HAK stand    *)
(* for AutoSwitchHAService, AutoSwitchHAConnection and AutoSwitchHAClient, *)
(* RIM for ReplicasInfoManager, RM for ReplicasManager. A .cfg puts any of *)
(* them in place of the repaired rule of the same name.                    *)
(*                                                                         *)
(* In modules of bugs/ instead, since they need more state: the epoch file *)
(* in memory beside the one on disk (EmptyEpochFileNotWritten), remembered reports of*)
(* heartbeats (GreatestReportKept), replies after a demotion (ReplyHeededBySlave), caught-up*)
(* times that are refreshed without an ack (CaughtUpOnceSent), a check for the*)
(* SyncStateSet whose mark comes later (CheckThenMark), the epoch of the last*)
(* header, which outlives its connection (HeaderEpochRemembered).          *)
(*                                                                         *)
(* Known differences from the Java, on which no verdict is known to depend:*)
(* an ack that brings nothing new (HAK reports every 5 s when idle) is no  *)
(* step, though HAS computes the confirmOffset again; a connection chooses *)
(* its epoch at the first batch, not at the slave's first report; an       *)
(* acknowledgement asks whether the message is still at its offset, the    *)
(* Java only whether the offset is covered; a slave whose log has alien    *)
(* bytes goes on copying, and one that has reported more than it has       *)
(* (FirstAck) gets nothing: the Java closes the connection and shakes hands*)
(* again, but for an empty slave, which takes its first batch at any       *)
(* offset (HAK.processReadResult: slavePhyOffset != 0); where a connection *)
(* begins with such a report, older connections of the slave are not asked *)
(* for the confirmOffset; a proposal that                                  *)
(* removeConnection makes on a broker that has just been demoted is as if  *)
(* made right before; a restarted broker's own election is not notified to *)
(* the others, who poll; nobody is designated before the first election;   *)
(* bytes that were overwritten do not come back when the machine fails     *)
(* before the new ones are flushed; the checkpoint's confirmOffset is      *)
(* never older than what was set; a broker that becomes master and knows a *)
(* greater number of the set than the controller, after a cleaning, keeps  *)
(* that number and the set that it had (RM.changeSyncStateSet), which has  *)
(* itself, as the new one has, so it asks no fewer for their acks; what it *)
(* proposes is refused as long as the numbers differ. Stale endOffsets in  *)
(* memory (F-9) are no state.                                              *)
(***************************************************************************)
EXTENDS ControllerMode

-----------------------------------------------------------------------------
(* Acknowledgement and confirmation *)

(* HAK.reportSlaveMaxOffset: getMaxPhyOffset; a copy in memory counts. *)
DurableEndAsShipped(b) == EndOfLog(b)

(* GroupTransferService.doWaitTransfer: connections are counted, an older one of the same slave too; the role and the
   minimum are not asked again. CommitLog.handleHA: with one ack needed nobody is waited for. *)
MayAcknowledgeAsShipped(m, offset) ==
  LET reached == { s \in Connected(m) \ {m} : connection[m][s].ack >= offset }
      twins   == { s \in Connected(m) \ {m} : connection[m][s].twin >= offset }
      Acks(S) == 1 + Cardinality(reached \cap S) + Cardinality(twins \cap S)
  IN AckedAsShipped(AllAck, InSyncReplicas, AckSet(m), Acks(AckSet(m)), Acks(Broker))

(* CommitLog.asyncPutMessage, HAS.inSyncReplicasNums: the larger of the local and the remote set is compared with the
   minimum. *)
MayAppendAsShipped(b) ==
  /\ broker[b].role = "Master"
  /\ MembersSuffice(broker[b].sss, MinInSyncReplicas) \/ MembersSuffice(broker[b].pending, MinInSyncReplicas)

(* CommitLog.getConfirmOffset: the size of the local set decides, whatever is under way. *)
ReadLimitAsShipped(b) ==
  IF broker[b].role = "Master" /\ (Cardinality(broker[b].sss) = 1 \/ ~AllAck) THEN EndOfLog(b) ELSE disk[b].confirm

(* HAS.computeConfirmOffset. The minimum is taken over all connections, an older one of the same slave included. Where a
   member has none, the answer is CommitLog.getConfirmOffsetDirectly: what was stored, or everything if the local set,
   which setSyncStateSet has assigned already, is the master alone. *)
ConfirmWithAsShipped(m, local, members, connected, acks) ==
  LET Both(s) == {acks[s], connection[m][s].twin}
      counted == [s \in Broker |-> IF \A x \in Both(s) : x > 0 THEN Minimum(Both(s))
                                   ELSE Larger(acks[s], connection[m][s].twin)]
  IN ConfirmAtMasterAsShipped(m, members, connected, counted, EndOfLog(m),
       IF broker[m].role = "Master" /\ Cardinality(local) = 1 THEN EndOfLog(m) ELSE disk[m].confirm)

(* HAS.updateConfirmOffsetWhenSlaveAck: only a member of the local set moves it; the role is not asked. *)
AckMovesConfirmAsShipped(m, s) ==
  s \in broker[m].sss /\ (broker[m].role = "Master" \/ TrackConfirm)

(* HAS.computeConfirmOffset is called when a set or an ack arrives, and not when CommitLog's flush services advance. *)
ConfirmAfterFlushAsShipped(b) == disk[b].confirm

(* HAK.processReadResult: assigned, whether it is greater or not. *)
ConfirmOnSlaveAsShipped(announced, logEnd, old) == ConfirmAtSlaveAsShipped(announced, logEnd, old)

-----------------------------------------------------------------------------
(* SyncStateSet *)

(* HAC.maybeExpandInSyncStateSet, HAS.maybeExpandInSyncStateSet. The check and the mark are two steps in the Java, see
   CheckThenMark. *)
ExpandGuardAsShipped(m, s) ==
  /\ s \notin Learners
  /\ connection[m][s].ack >= connection[m][s].masterEnd
  /\ connection[m][s].ack >= ReadLimit(m)
  /\ connection[m][s].ack >= LastStart(disk[m].epochFile)

(* HAC.updateLastTransferInfo: lastMasterMaxOffset, whenever there is more to send, also with the empty batch at the end of
   an epoch that brings the next one's header. *)
MasterEndAtTransferAsShipped(m) == EndOfLog(m)

(* HAS.markSynchronizingSyncStateSet: only the last proposal is remembered, and the confirmOffset is not touched. *)
PendingWithAsShipped(m, members) == members
ConfirmAtProposalAsShipped(b)    == disk[b].confirm

(* HAS.notifySyncStateSetChanged, RM.doReportSyncStateSetChanged: proposals wait in a queue and get the epochs that are
   valid when they leave it. *)
SentAtOnceAsShipped == FALSE

-----------------------------------------------------------------------------
(* Election *)

(* RIM.electMaster: neither liveness nor the learner flag is looked at, the controller does not know who is a learner.
   (A request without an id, or with -1, asks the policy instead; nobody sends one before there is a master.) *)
FirstElectedAsShipped(b)    == {b}
EligibleUncleanlyAsShipped  == Broker

(* RM.registerBrokerToController, RM.brokerElect: a restarted master goes on in its epoch. RM.changeBrokerRole: it obeys
   notifications before it is registered. *)
MayResumeAsShipped(b)       == TRUE
HeedsNoticeAsShipped(b)     == TRUE

(* RIM.cleanBrokerData, seen on 5.1.4 to 5.5.0: without ids it is refused while a master is stored, dead or alive; with
   isCleanLivingBroker nothing is asked. So whoever wants it gets it. *)
MayBeCleanedAsShipped       == TRUE
MayBeCleanedWithoutIds      == controller.master = NoBroker

(* RIM.handleCleanBrokerDataEvent: a cleaning begins to count anew, so a request of before it may be accepted after it. *)
NumberMayReturnAsShipped    == used.cleans < MaxCleans

(* RIM.handleCleanBrokerDataEvent: cleaning forgets the epochs and the set. *)
EpochAfterCleanAsShipped    == 0
SssEpochAfterCleanAsShipped == 0
SyncStateSetAfterCleanAsShipped == {}

-----------------------------------------------------------------------------
(* Change of role *)

(* RM.changeToMaster: HAS.setSyncStateSet computes the confirmOffset with the connections of the earlier role. Where that
   was another, HAS.changeToMaster closes them and computes again: without connections to the other members, what was
   stored stays. *)
ConfirmAtPromotionAsShipped(b, info, log) ==
  LET stored == ConfirmWithAsShipped(b, info.sss, info.sss, Connected(b), AcksOn(b))
  IN IF broker[b].role # "Master" /\ info.sss = {b} THEN Len(log) ELSE Smaller(stored, Len(log))

(* HAS.changeToMaster, EpochFileCache.appendEntry: a smaller epoch is refused without consequence, an equal epoch moves
   its entry to the end of the log, an entry that would begin where the last one begins is refused. *)
EpochFileAtPromotionAsShipped(file, e, logEnd) ==
  IF e < LastEpoch(file) THEN file ELSE AppendAsShipped(DropFromEpoch(file, e), Entry(e, logEnd))

(* RM.changeToSlave, HAS.changeToSlave: neither touches the producers that wait, nor the SyncStateSet, nor what was
   proposed. Producers wait for members that have no connection any more, and time out. *)
WaitingAfterDemotionAsShipped(b)          == broker[b].waiting
SetsAfterDemotionAsShipped(b) ==
  [sss |-> broker[b].sss, sssEpoch |-> broker[b].sssEpoch, pending |-> broker[b].pending]

(* HAS.init reads the file as it is. *)
EpochFileAfterRestartAsShipped(file, end) == file

(* MappedFileQueue.truncateDirtyFiles moves the end of the log in memory only; CommitLog.recoverNormally and
   recoverAbnormally read on. *)
ResidueAfterTruncationAsShipped(d, point) == SubSeq(d.log, point + 1, Len(d.log)) \o d.residue
LogAfterRestartAsShipped(d)               == d.log \o d.residue

-----------------------------------------------------------------------------
(* Replication *)

(* HAK.handshakeWithMaster: whoever answers at the address is followed; HAS.AutoSwitchAcceptSocketService:
   every broker accepts connections. *)
HandshakeAllowedAsShipped(s, m) == TRUE

(* HAK.doTruncate: without an epoch file nothing is cut, without a common entry the handshake fails. *)
TruncationPointAsShipped(s, m) ==
  IF disk[s].epochFile = <<>> THEN EndOfLog(s)
  ELSE ConsistentPoint(disk[s].epochFile, EndOfLog(s), disk[m].epochFile, EndOfLog(m))

(* HAK.doTruncate, EpochFileCache.truncateSuffixByOffset *)
EpochFileAfterHandshakeAsShipped(s, m, point) == DropFromOffset(disk[s].epochFile, point)

(* HAK.doTruncate: currentReportedOffset is the truncation point, and the idle heartbeat reports it even where the log
   does not reach it. *)
FirstAckAsShipped(s, point) == IF point > EndOfLog(s) THEN Smaller(point, MaxPuts) ELSE -1

(* DefaultHAService.connectionList: a connection stays until its own thread ends. *)
TwinAfterReconnectAsShipped(m, s) ==
  IF connection[m][s].open THEN Larger(connection[m][s].ack, connection[m][s].twin) ELSE -1

(* HAK.processReadResult, EpochFileCache.appendEntry. *)
EpochFileOnHeaderAsShipped(s, file, x) == AppendAsShipped(file, x)

(* currentTransferEpochEndOffset of HAC: where the epoch ends that a connection transfers, as it was when that began. *)
TransferEnd(m, s) == connection[m][s].transferEnd

(* Since 5.3.4 (#9689) HAC.transferToSlave looks again before a batch, so an epoch that was the newest ends where the next
   one begins. *)
TransferEndReadAgain(m, s) ==
  LET file == disk[m].epochFile
      i    == IndexOf(file, connection[m][s].transferEpoch)
  IN IF connection[m][s].transferEnd # -1 \/ i \in {0, Len(file)} THEN connection[m][s].transferEnd ELSE file[i + 1].start

(* HAC.transferToSlave, HAC.changeTransferEpochToNext: the connection remembers the epoch that it transfers and where that
   ends; the end of the newest epoch stays open for ever. A batch that is cut at the end already carries the label of the
   next epoch. Before it knows one, that end is 0: what a master has from before its first entry begins with a header of
   that entry alone, and goes under its label from then on. From another offset than 0 the size of that first batch
   would be negative, and the slave reads no further. A connection transfers from where the slave's first report said
   (slaveRequestOffset): what is sent to one that has reported more than it has is not what it waits for. *)
NextBatchAsShipped(m, s) ==
  LET file   == disk[m].epochFile
      next   == EndOfLog(s)
      c      == connection[m][s]
      EndAt(i) == IF i = Len(file) THEN -1 ELSE file[i + 1].start
      first  == IndexAt(file, next)
      before == c.transferEpoch = 0 /\ first = 0
      i      == IF c.transferEpoch # 0 THEN IndexOf(file, c.transferEpoch)
                ELSE IF before /\ next = 0 THEN Smaller(1, Len(file)) ELSE first
      end    == IF c.transferEpoch = 0 /\ i # 0 THEN EndAt(i) ELSE TransferEnd(m, s)
      silent == before /\ (i = 0 \/ EpochFileOnHeaderAsShipped(s, disk[s].epochFile, file[1]) # disk[s].epochFile)
      lied   == c.ack > next
      room   == IF silent \/ lied THEN 0 ELSE Smaller(BatchSize, EndOfLog(m) - next)
      cut    == i # 0 /\ i < Len(file) /\ end # -1 /\ next + room > end
      label  == IF lied THEN 0 ELSE IF cut THEN i + 1 ELSE i
  IN [size |-> IF cut THEN Larger(end - next, 0) ELSE room, label |-> label,
      transferEpoch |-> IF label = 0 THEN c.transferEpoch ELSE file[label].epoch,
      transferEnd |-> IF lied THEN c.transferEnd ELSE IF cut THEN EndAt(i + 1) ELSE end]

=============================================================================
