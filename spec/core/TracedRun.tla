----------------------------- MODULE TracedRun -----------------------------
(***************************************************************************)
(* A whole run of RocketMQ's controllers and brokers, as the agent of      *)
(* rocketmq/tracing writes it down: with RecordedRun's elections, roles    *)
(* and sets every append to a log, every packet between master and slave,  *)
(* every truncation, write of the epoch file and confirmOffset, and what   *)
(* producers are told. Offsets are bytes; a message is its place and the   *)
(* CRC32 of its bytes.                                                     *)
(*                                                                         *)
(* The rules are those of 5.1.1 to 5.5.1 as shipped. Where releases differ *)
(* a rule has an operator of its own, and a configuration names the one of *)
(* a release: TracedUpTo51, TracedUpTo53, TracedSince54; Traced holds a    *)
(* run of any of them to what is promised. validate holds recorded runs to *)
(* it (docs/clusters.md). Not here: flushing, the consume queue,           *)
(* heartbeats, the expiry of old files. A loss of power is not explained.  *)
(***************************************************************************)
EXTENDS RecordedRun, LogPieces

CONSTANTS
  \* The connections of the run, as masters have them.
  \* @type: Set(Int);
  Lines,
  \* The CRC32 of the messages of the run; 0 is the filler at the end of a file.
  \* @type: Set(Int);
  Sums

VARIABLES
  \* A log: pieces of messages, each with the end of its message, which a slave may not have yet.
  \* @type: BROKER -> Seq({ from: Int, to: Int, end: Int, sum: Int });
  log,
  \* The bytes behind the end of a log, in its last file: MappedFileQueue.truncateDirtyFiles moves the end, and leaves them.
  \* @type: BROKER -> Seq({ from: Int, to: Int, end: Int, sum: Int });
  behind,
  \* CL.confirmOffset
  \* @type: BROKER -> Int;
  confirmed,
  \* HAS.remoteSyncStateSet, while HAS.isSynchronizingSyncStateSet; empty otherwise.
  \* @type: BROKER -> Set(BROKER);
  marked,
  \* The members that HAS.removeConnection has taken out of HAS.syncStateSet, since it was learned.
  \* @type: BROKER -> Set(BROKER);
  removed,
  \* A connection: at which master, of which slave as the master knows, whether it is in HAS.connectionList, what was
  \* acknowledged, and what is under way in both directions.
  \* @type: Int -> { at: BROKER, slave: BROKER, open: Bool, ack: Int, next: Int, packets: Seq({ answer: Bool, from: Int, to: Int, file: Seq({ epoch: Int, start: Int }), epoch: Int, start: Int, confirm: Int, pieces: Seq({ from: Int, to: Int, end: Int, sum: Int }) }), reports: Seq(Int) };
  line,
  \* The connection that a slave copies over; 0: none.
  \* @type: BROKER -> Int;
  copies,
  \* The ends of messages of which GroupTransferService has said PUT_OK, and their producers were not told yet.
  \* @type: BROKER -> Set(Int);
  granted

ofRun == <<controller, tables, registered, disk, broker, Unmoved, recorded>>
bytes  == <<log, behind>>
traced == <<bytes, confirmed, marked, removed, line, copies, granted>>

Free == [at |-> NoBroker, slave |-> NoBroker, open |-> FALSE, ack |-> -1, next |-> -1, packets |-> <<>>, reports |-> <<>>]
Opened(b) == [Free EXCEPT !.at = b, !.open = TRUE]

-----------------------------------------------------------------------------
(* In what releases differ *)

(* HAS.removeConnection up to 5.3.x, and what is promised: the slave counts until another set is stored. *)
AfterRemoval(gone, more) == gone

(* Since 5.4.0 it is taken out of HAS.syncStateSet at once (bugs/InsufficientRemoval). *)
RemovedAtOnce(gone, more) == gone \cup more

(* HAK.doTruncate: whether the epoch file is cut. Here either. *)
FileCut == {TRUE, FALSE}

(* Up to 5.3.x it is, before the log. *)
FileCutAlways == {TRUE}

(* Since 5.4.0 only where the log is longer than the point, and that is asked after the log was cut
   (bugs/InsufficientTruncation). *)
FileCutNever == {FALSE}

(* CL.getConfirmOffset since 5.2.0: without allAckInSyncStateSet all of the log is confirmed. *)
AllIsConfirmed == ~AllAck

(* CL.getConfirmOffset up to 5.1.4 *)
NeverAllIsConfirmed == FALSE

-----------------------------------------------------------------------------
(* The SyncStateSet of a master, and how far all of it has copied *)

(* HAS.getLocalSyncStateSet *)
Own(b) == broker[b].sss \ removed[b]

(* HAS.getSyncStateSet *)
Asked(b) == Own(b) \cup marked[b]

(* What is promised: whom the controller may elect is asked. *)
Promised(b) == broker[b].sss \cup marked[b]

OpenAt(b) == { k \in Lines : line[k].at = b /\ line[k].open }

(* CL.getConfirmOffset. A slave serves slaves, too, where one connects to it (seen on 5.5.1). *)
CurrentConfirm(b) ==
  IF broker[b].role = "Master" /\ (Cardinality(Own(b)) = 1 \/ AllIsConfirmed) THEN EndOfBytes(log[b])
  ELSE confirmed[b]

(* CL.getConfirmOffsetDirectly *)
StoredConfirm(b) ==
  IF broker[b].role = "Master" /\ Cardinality(Own(b)) = 1 THEN EndOfBytes(log[b]) ELSE confirmed[b]

(* HAS.computeConfirmOffset: unchanged while a member has no connection. *)
ComputedConfirm(b) ==
  LET acks == { line[k].ack : k \in { x \in OpenAt(b) : line[x].slave \in Asked(b) /\ line[x].ack > 0 } }
      all  == acks \cup {EndOfBytes(log[b])}
  IN IF \E s \in Asked(b) \ {b} : \A k \in OpenAt(b) : line[k].slave # s THEN StoredConfirm(b)
     ELSE CHOOSE x \in all : \A y \in all : x <= y

(* GroupTransferService.doWaitTransfer; -1: allAckInSyncStateSet *)
EnoughCopies(b, end, acks, members) ==
  LET copied(k) == line[k].ack >= end
  IN IF acks = -1
     THEN Cardinality(members) <= 1
          \/ 1 + Cardinality({ k \in OpenAt(b) : line[k].slave \in members /\ copied(k) }) >= Cardinality(members)
     ELSE 1 + Cardinality({ k \in OpenAt(b) : copied(k) }) >= acks

-----------------------------------------------------------------------------
(* Elections and stored sets. Who is alive is not judged. *)

Reigns(new) ==
  /\ reigns' = reigns \cup {[epoch |-> controller'.masterEpoch, master |-> new]}
  /\ stored' = stored \cup {[epoch |-> controller'.masterEpoch, number |-> controller'.sssEpoch,
                             members |-> controller'.sss]}

(* RIM.electMaster: whoever asks first, later a member, and not the master again. *)
TracedElects(new) ==
  /\ NumbersLeft
  /\ controller.masterEpoch = 0 \/ new \in controller.sss \/ UncleanElection
  /\ new # controller.master
  /\ controller' = StateAfter(ElectMasterEvent(new))
  /\ Reigns(new)
  /\ UNCHANGED <<tables, registered, brokerVars, Unmoved, table, asked, shown, heard, reached, traced>>

TracedElectsNobody ==
  /\ EpochsLeft
  /\ controller.masterEpoch > 0
  /\ controller' = StateAfter(ElectMasterEvent(NoBroker))
  /\ UNCHANGED <<tables, registered, brokerVars, Unmoved, recorded, traced>>

(* RIM.alterSyncStateSet: what the master has proposed. *)
TracedStores(members) ==
  LET r == Alter(controller.master, members, controller.masterEpoch, controller.sssEpoch) IN
  /\ controller.sssEpoch < MaxSssEpoch
  /\ controller.master # NoBroker
  /\ members \in asked[controller.master]
  /\ members # controller.sss
  /\ controller' = StateAfter(AlterSyncStateSetEvent(r))
  /\ stored' = stored \cup {[epoch |-> controller.masterEpoch, number |-> controller'.sssEpoch, members |-> members]}
  /\ UNCHANGED <<tables, registered, brokerVars, Unmoved, table, reigns, asked, shown, heard, reached, traced>>

-----------------------------------------------------------------------------
(* Roles and processes *)

(* RM.changeToMaster, RM.changeToSlave; `was`: RM.masterEpoch before *)
TracedMaster(b, was, epoch) ==
  was = broker[b].masterEpoch /\ BrokerBecomesMaster(b, epoch) /\ UNCHANGED traced

TracedSlave(b, was, master, epoch) ==
  was = broker[b].masterEpoch /\ BrokerBecomesSlave(b, master, epoch) /\ UNCHANGED traced

RoleIsKept(b, was, epoch) ==
  /\ was = broker[b].masterEpoch
  /\ epoch <= was
  /\ UNCHANGED <<ofRun, traced>>

(* The process is new; what it had not read from its connections is gone. *)
TracedStarts(b) ==
  /\ ProcessStarts(b)
  /\ marked' = [marked EXCEPT ![b] = {}]
  /\ removed' = [removed EXCEPT ![b] = {}]
  /\ line' = [k \in Lines |-> IF line[k].at = b THEN [line[k] EXCEPT !.open = FALSE] ELSE line[k]]
  /\ copies' = [copies EXCEPT ![b] = 0]
  /\ granted' = [granted EXCEPT ![b] = {}]
  /\ confirmed' = [confirmed EXCEPT ![b] = -1]
  /\ UNCHANGED bytes

(* DMS.load: all that the log had is there again, and what it was cut by before, as far as it is not overwritten; or
   nothing, on a new disk. *)
LogIsRecovered(b, end, confirm) ==
  /\ confirm <= end
  /\ LET found == Found(log[b], behind[b]) IN
     \/ /\ end = EndOfBytes(found)
        /\ log' = [log EXCEPT ![b] = found]
        /\ behind' = [behind EXCEPT ![b] = LeftBehind(BehindWhole(log[b], @), found)]
     \/ /\ end = 0
        /\ found # <<>>
        /\ log' = [log EXCEPT ![b] = <<>>]
        /\ behind' = [behind EXCEPT ![b] = <<>>]
  /\ confirmed' = [confirmed EXCEPT ![b] = confirm]
  /\ UNCHANGED <<ofRun, marked, removed, line, copies, granted>>

FileIsRead(b) ==
  /\ disk' = IF log[b] = <<>> THEN [disk EXCEPT ![b].epochFile = <<>>] ELSE disk
  /\ UNCHANGED <<ofController, broker, Unmoved, recorded, traced>>

-----------------------------------------------------------------------------
(* Sets *)

(* HAS.setSyncStateSet *)
TracedLearnsSet(b, members) ==
  /\ BrokerLearnsSet(b, members)
  /\ marked' = [marked EXCEPT ![b] = {}]
  /\ removed' = [removed EXCEPT ![b] = {}]
  /\ UNCHANGED <<bytes, confirmed, line, copies, granted>>

(* HAS.maybeExpandInSyncStateSet *)
SlaveIsMarked(b, s, offset, members) ==
  /\ s \notin Own(b)
  /\ \E k \in Lines : line[k].at = b /\ line[k].slave = s /\ line[k].ack = offset
  /\ offset >= CurrentConfirm(b)
  /\ offset >= LastStart(disk[b].epochFile)
  /\ members = Own(b) \cup {s}
  /\ marked' = [marked EXCEPT ![b] = members]
  /\ UNCHANGED <<ofRun, bytes, confirmed, removed, line, copies, granted>>

(* HAS.maybeShrinkSyncStateSet *)
FewerAreMarked(b, members) ==
  /\ members \subseteq Own(b)
  /\ members # Own(b)
  /\ marked' = [marked EXCEPT ![b] = members]
  /\ UNCHANGED <<ofRun, bytes, confirmed, removed, line, copies, granted>>

(* HAS.removeConnection *)
MemberIsRemoved(b, members) ==
  /\ \E s \in Own(b) : members = Own(b) \ {s}
  /\ marked' = [marked EXCEPT ![b] = members]
  /\ removed' = [removed EXCEPT ![b] = AfterRemoval(@, Own(b) \ members)]
  /\ UNCHANGED <<ofRun, bytes, confirmed, line, copies, granted>>

(* RM.doReportSyncStateSetChanged: what is or was marked. *)
SetIsProposed(b, members, epoch, number) ==
  /\ epoch = broker[b].masterEpoch
  /\ number = broker[b].sssEpoch
  /\ BrokerProposes(b, members)
  /\ UNCHANGED traced

-----------------------------------------------------------------------------
(* Puts *)

(* DefaultAppendMessageCallback.doAppend *)
MessageIsAppended(b, from, to, sum) ==
  /\ broker[b].role = "Master"
  /\ from = EndOfBytes(log[b])
  /\ from < to
  /\ log' = [log EXCEPT ![b] = Append(@, [from |-> from, to |-> to, end |-> to, sum |-> sum])]
  /\ behind' = [behind EXCEPT ![b] = LeftBehind(@, log'[b])]
  /\ UNCHANGED <<ofRun, confirmed, marked, removed, line, copies, granted>>

(* GroupTransferService: by the members that the controller may elect. *)
CopiesAreEnough(b, end, acks) ==
  /\ (acks = -1) = AllAck
  /\ end <= EndOfBytes(log[b])
  /\ EnoughCopies(b, end, acks, Promised(b))
  /\ granted' = [granted EXCEPT ![b] = @ \cup {end}]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, line, copies>>

(* The same: by fewer. *)
FewerCopiesAreEnough(b, end, acks) ==
  /\ acks = -1
  /\ AllAck
  /\ end <= EndOfBytes(log[b])
  /\ ~EnoughCopies(b, end, acks, Promised(b))
  /\ EnoughCopies(b, end, acks, Asked(b))
  /\ granted' = [granted EXCEPT ![b] = @ \cup {end}]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, line, copies>>

ProducerIsTold(b, end) ==
  /\ end \in granted[b]
  /\ granted' = [granted EXCEPT ![b] = @ \ {end}]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, line, copies>>

(* FLUSH_SLAVE_TIMEOUT *)
ProducerIsNotTold(b, end) ==
  /\ end \notin granted[b]
  /\ UNCHANGED <<ofRun, traced>>

-----------------------------------------------------------------------------
(* The confirmOffset of a master *)

MasterConfirms(b, offset) ==
  /\ offset = ComputedConfirm(b)
  /\ confirmed' = [confirmed EXCEPT ![b] = offset]
  /\ UNCHANGED <<ofRun, bytes, marked, removed, line, copies, granted>>

(* HAS.updateConfirmOffsetWhenSlaveAck computes and sets with a lock that threads share: what one of them has computed
   it may set after another one, which computed later. *)
ConfirmIsComputed(b, offset) ==
  /\ offset = ComputedConfirm(b)
  /\ UNCHANGED <<ofRun, traced>>

OvertakenConfirmIsSet(b, offset) ==
  /\ offset <= ComputedConfirm(b)
  /\ confirmed' = [confirmed EXCEPT ![b] = offset]
  /\ UNCHANGED <<ofRun, bytes, marked, removed, line, copies, granted>>

(* CL.truncateDirtyFiles: not beyond what is cut. *)
ConfirmIsCut(b, offset) ==
  /\ offset < confirmed[b]
  /\ confirmed' = [confirmed EXCEPT ![b] = offset]
  /\ UNCHANGED <<ofRun, bytes, marked, removed, line, copies, granted>>

-----------------------------------------------------------------------------
(* Connections, as the master has them *)

ConnectionOpens(b, k) ==
  /\ line[k] = Free
  /\ line' = [line EXCEPT ![k] = Opened(b)]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

(* What was sent may still arrive. *)
ConnectionCloses(b, k) ==
  /\ line[k].at = b
  /\ line' = [line EXCEPT ![k].open = FALSE]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

AllConnectionsClose(b) ==
  /\ line' = [k \in Lines |-> IF line[k].at = b THEN [line[k] EXCEPT !.open = FALSE] ELSE line[k]]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

SlaveIsNamed(b, k, s) ==
  /\ line[k].at = b
  /\ line' = [line EXCEPT ![k].slave = s]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

Data(from, to, epoch, start, confirm, pieces) ==
  [answer |-> FALSE, from |-> from, to |-> to, file |-> <<>>, epoch |-> epoch, start |-> start, confirm |-> confirm,
   pieces |-> pieces]

Answer(file, end) ==
  [answer |-> TRUE, from |-> 0, to |-> end, file |-> file, epoch |-> 0, start |-> 0, confirm |-> 0, pieces |-> <<>>]

(* HAC.buildHandshakeBuffer *)
HandshakeIsAnswered(b, k, end) ==
  /\ line[k].at = b
  /\ line[k].slave # NoBroker
  /\ end = EndOfBytes(log[b])
  /\ line' = [line EXCEPT ![k].packets = Append(@, Answer(disk[b].epochFile, end))]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

(* HAC.buildTransferHeaderBuffer: bytes of the log, one packet after the other, and the entry of one of its epochs;
   without bytes it is a heartbeat. The first bytes are where the slave said that it ends, for a new one at 0. *)
DataIsSent(b, k, from, to, epoch, start, confirm) ==
  /\ line[k].at = b
  /\ line[k].slave # NoBroker
  /\ \E i \in DOMAIN disk[b].epochFile : disk[b].epochFile[i] = Entry(epoch, start)
  /\ from <= to /\ to <= EndOfBytes(log[b])
  /\ IF line[k].next = -1 THEN from \in {-1, line[k].ack} ELSE from = line[k].next
  /\ from < to => start <= to
  /\ confirm = CurrentConfirm(b)
  /\ line' = [line EXCEPT ![k].packets = Append(@, Data(from, to, epoch, start, confirm, Between(log[b], from, to))),
                          ![k].next = IF from < to THEN to ELSE @]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

(* HAC.slaveAckOffset: reports arrive in the order in which they were sent. *)
AckArrives(b, k, offset) ==
  /\ line[k].at = b
  /\ line[k].reports # <<>>
  /\ offset = Head(line[k].reports)
  /\ line' = [line EXCEPT ![k].ack = offset, ![k].reports = Tail(@)]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

-----------------------------------------------------------------------------
(* Copies *)

(* HAK.doTruncate *)
AnswerIsHeard(s, end) ==
  \E k \in Lines :
    /\ line[k].slave = s
    /\ \A t \in Broker : copies[t] # k
    /\ line[k].packets # <<>>
    /\ Head(line[k].packets).answer
    /\ Head(line[k].packets).to = end
    /\ heard' = [heard EXCEPT ![s] = [file |-> Head(line[k].packets).file, end |-> end]]
    /\ line' = [line EXCEPT ![k].packets = Tail(@)]
    /\ copies' = [copies EXCEPT ![s] = k]
    /\ UNCHANGED <<ofController, brokerVars, Unmoved, table, reigns, stored, asked, shown, reached>>
    /\ UNCHANGED <<bytes, confirmed, marked, removed, granted>>

(* EpochFileCache.findConsistentPoint of both files *)
PointOf(s) == ConsistentPoint(disk[s].epochFile, EndOfBytes(log[s]), heard[s].file, heard[s].end)

(* HAK.doTruncate, of the file: after it the log is cut, or need not be. *)
FileIsCutToAnswer(s, offset) ==
  /\ TRUE \in FileCut
  /\ copies[s] # 0
  /\ offset = PointOf(s)
  /\ disk' = [disk EXCEPT ![s].epochFile = DropFromOffset(@, offset)]
  /\ UNCHANGED <<ofController, broker, Unmoved, recorded, traced>>

FileIsAsItHasToBe(s) ==
  FALSE \in FileCut \/ disk[s].epochFile = DropFromOffset(disk[s].epochFile, PointOf(s))

(* HAK.doTruncate *)
LogIsCutToAnswer(s, offset) ==
  /\ copies[s] # 0
  /\ offset = PointOf(s)
  /\ FileIsAsItHasToBe(s)
  /\ log' = [log EXCEPT ![s] = CutAt(@, offset)]
  /\ behind' = [behind EXCEPT ![s] = BehindCut(log[s], @, offset)]
  /\ UNCHANGED <<ofRun, confirmed, marked, removed, line, copies, granted>>

(* HAK.doTruncate: the log ends before that. *)
AnswerNeedsNoCut(s) ==
  /\ copies[s] # 0
  /\ \/ disk[s].epochFile = <<>>
     \/ PointOf(s) >= EndOfBytes(log[s]) /\ FileIsAsItHasToBe(s)
  /\ UNCHANGED <<ofRun, traced>>

(* HAS.truncateInvalidMsg: what is there of a message in part. *)
LogIsCutToMessage(s, offset) ==
  /\ offset = WholeEnd(log[s])
  /\ log' = [log EXCEPT ![s] = CutAt(@, offset)]
  /\ behind' = [behind EXCEPT ![s] = BehindCut(log[s], @, offset)]
  /\ UNCHANGED <<ofRun, confirmed, marked, removed, line, copies, granted>>

(* -1: nothing was behind. *)
LogIsLookedThrough(s, offset) ==
  /\ offset \in {-1, WholeEnd(log[s])}
  /\ UNCHANGED <<ofRun, traced>>

Received(s) == Head(line[copies[s]].packets)
SomethingCame(s) == copies[s] # 0 /\ line[copies[s]].packets # <<>> /\ ~Received(s).answer

(* HAK.processReadResult: the header's epoch is a new one. *)
EntryIsCopied(s, epoch, start, done) ==
  /\ SomethingCame(s)
  /\ epoch = Received(s).epoch
  /\ start = Received(s).start
  /\ done = ~AppendRefused(disk[s].epochFile, Entry(epoch, start))
  /\ disk' = [disk EXCEPT ![s].epochFile = AppendAsShipped(@, Entry(epoch, start))]
  /\ UNCHANGED <<ofController, broker, Unmoved, recorded, traced>>

BytesAreCopied(s, from, to) ==
  /\ SomethingCame(s)
  /\ from = Received(s).from
  /\ to = Received(s).to
  /\ from = EndOfBytes(log[s])
  /\ log' = [log EXCEPT ![s] = Joined(@, Received(s).pieces)]
  /\ behind' = [behind EXCEPT ![s] = LeftBehind(@, log'[s])]
  /\ UNCHANGED <<ofRun, confirmed, marked, removed, line, copies, granted>>

(* What the bytes are that a slave was given. *)
MessageIsThere(s, from, to, sum) ==
  /\ LET place == FirstBeyond(log[s], from, 1, Len(log[s]))
     IN place <= Len(log[s]) /\ log[s][place] = [from |-> from, to |-> to, end |-> to, sum |-> sum]
  /\ UNCHANGED <<ofRun, traced>>

(* The last that is done with a packet. *)
SlaveConfirms(s, offset) ==
  /\ SomethingCame(s)
  /\ offset = Smaller(Received(s).confirm, EndOfBytes(log[s]))
  /\ confirmed' = [confirmed EXCEPT ![s] = offset]
  /\ line' = [line EXCEPT ![copies[s]].packets = Tail(@)]
  /\ UNCHANGED <<ofRun, bytes, marked, removed, copies, granted>>

(* HAK.reportSlaveOffset: the end of the log, or what was reported before: the truncation point, and 0 by a new broker. *)
OffsetIsReported(s, offset) ==
  /\ copies[s] # 0
  /\ LET sent == line[copies[s]].reports
         last == IF sent # <<>> THEN sent[Len(sent)] ELSE line[copies[s]].ack
     IN offset \in {EndOfBytes(log[s]), last, IF disk[s].epochFile = <<>> THEN 0 ELSE PointOf(s)}
  /\ line' = [line EXCEPT ![copies[s]].reports = Append(@, offset)]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, copies, granted>>

SlaveCloses(s) ==
  /\ copies' = [copies EXCEPT ![s] = 0]
  /\ UNCHANGED <<ofRun, bytes, confirmed, marked, removed, line, granted>>

-----------------------------------------------------------------------------
(* Epoch files *)

(* HAS.changeToMaster, HAS.changeToMasterWhenLastRoleIsMaster *)
EntryIsWritten(b, epoch, start, done) ==
  /\ broker[b].role = "Master"
  /\ epoch = broker[b].masterEpoch
  /\ start = EndOfBytes(log[b])
  /\ done = ~AppendRefused(disk[b].epochFile, Entry(epoch, start))
  /\ disk' = [disk EXCEPT ![b].epochFile = AppendAsShipped(@, Entry(epoch, start))]
  /\ UNCHANGED <<ofController, broker, Unmoved, recorded, traced>>

(* EpochFileCache.truncateSuffixByEpoch: of the epoch that begins anew. *)
FileIsCutFromEpoch(b, epoch) ==
  /\ epoch = broker[b].masterEpoch
  /\ disk' = [disk EXCEPT ![b].epochFile = DropFromEpoch(@, epoch)]
  /\ UNCHANGED <<ofController, broker, Unmoved, recorded, traced>>

(* HAS.changeToMaster: where the log was cut. *)
FileIsCutFromOffset(b, offset) ==
  /\ offset = EndOfBytes(log[b])
  /\ disk' = [disk EXCEPT ![b].epochFile = DropFromOffset(@, offset)]
  /\ UNCHANGED <<ofController, broker, Unmoved, recorded, traced>>

-----------------------------------------------------------------------------
TracedInit ==
  /\ RunInit
  /\ log = [b \in Broker |-> <<>>]
  /\ behind = [b \in Broker |-> <<>>]
  /\ confirmed = [b \in Broker |-> -1]
  /\ marked = [b \in Broker |-> {}]
  /\ removed = [b \in Broker |-> {}]
  /\ line = [k \in Lines |-> Free]
  /\ copies = [b \in Broker |-> 0]
  /\ granted = [b \in Broker |-> {}]

(* Sets that are small, for whoever tries all steps of a state. *)
LogEnds       == { EndOfBytes(log[b]) : b \in Broker }
NextBytes     == { line[k].next : k \in Lines } \cup { line[k].ack : k \in Lines }
Confirmed     == LogEnds \cup { confirmed[b] : b \in Broker }
EntriesOfFiles == UNION { { disk[b].epochFile[i] : i \in DOMAIN disk[b].epochFile } : b \in Broker }
EpochsOfFiles == { x.epoch : x \in EntriesOfFiles }
StartsOfFiles == { x.start : x \in EntriesOfFiles }

TracedNext ==
  \/ \E b \in Broker : TracedElects(b)
  \/ TracedElectsNobody
  \/ \E members \in Members : TracedStores(members)
  \/ \E b \in Broker : TracedStarts(b)
  \/ \E b \in Broker, end \in Ends, confirm \in Ends \cup {-1} : LogIsRecovered(b, end, confirm)
  \/ \E b \in Broker : FileIsRead(b)
  \/ \E b \in Broker, was, epoch \in Epoch : TracedMaster(b, was, epoch)
  \/ \E b, master \in Broker, was, epoch \in Epoch : TracedSlave(b, was, master, epoch)
  \/ \E b \in Broker, was, epoch \in Epoch : RoleIsKept(b, was, epoch)
  \/ \E b \in Broker, members \in Members : TracedLearnsSet(b, members)
  \/ \E b, s \in Broker, offset \in NextBytes, members \in Members : SlaveIsMarked(b, s, offset, members)
  \/ \E b \in Broker, members \in Members : FewerAreMarked(b, members)
  \/ \E b \in Broker, members \in Members : MemberIsRemoved(b, members)
  \/ \E b \in Broker, members \in Members, epoch \in Epoch, number \in SssEpoch : SetIsProposed(b, members, epoch, number)
  \/ \E b \in Broker, from \in LogEnds, to \in Ends, sum \in Sums : MessageIsAppended(b, from, to, sum)
  \/ \E b \in Broker, end \in Ends, acks \in -1..Cardinality(Broker) : CopiesAreEnough(b, end, acks)
  \/ \E b \in Broker, end \in Ends, acks \in {-1} : FewerCopiesAreEnough(b, end, acks)
  \/ \E b \in Broker, end \in Ends : ProducerIsTold(b, end)
  \/ \E b \in Broker, end \in Ends : ProducerIsNotTold(b, end)
  \/ \E b \in Broker, offset \in Ends : MasterConfirms(b, offset)
  \/ \E b \in Broker, offset \in Ends : ConfirmIsComputed(b, offset)
  \/ \E b \in Broker, offset \in Ends : OvertakenConfirmIsSet(b, offset)
  \/ \E b \in Broker, offset \in Ends : ConfirmIsCut(b, offset)
  \/ \E b \in Broker, k \in Lines : ConnectionOpens(b, k)
  \/ \E b \in Broker, k \in Lines : ConnectionCloses(b, k)
  \/ \E b \in Broker : AllConnectionsClose(b)
  \/ \E b, s \in Broker, k \in Lines : SlaveIsNamed(b, k, s)
  \/ \E b \in Broker, k \in Lines, end \in Ends : HandshakeIsAnswered(b, k, end)
  \/ \E b \in Broker, k \in Lines, from \in NextBytes, epoch \in EpochsOfFiles, start \in StartsOfFiles,
        confirm \in Confirmed, to \in Ends \cup {-1} :
       DataIsSent(b, k, from, to, epoch, start, confirm)
  \/ \E b \in Broker, k \in Lines, offset \in Ends : AckArrives(b, k, offset)
  \/ \E s \in Broker, end \in Ends : AnswerIsHeard(s, end)
  \/ \E s \in Broker, offset \in Ends : FileIsCutToAnswer(s, offset)
  \/ \E s \in Broker, offset \in Ends : LogIsCutToAnswer(s, offset)
  \/ \E s \in Broker : AnswerNeedsNoCut(s)
  \/ \E s \in Broker, offset \in Ends : LogIsCutToMessage(s, offset)
  \/ \E s \in Broker, offset \in Ends \cup {-1} : LogIsLookedThrough(s, offset)
  \/ \E s \in Broker, epoch \in Epoch, start \in Ends, done \in BOOLEAN : EntryIsCopied(s, epoch, start, done)
  \/ \E s \in Broker, from \in LogEnds, to \in Ends : BytesAreCopied(s, from, to)
  \/ \E s \in Broker, from, to \in Ends, sum \in Sums : MessageIsThere(s, from, to, sum)
  \/ \E s \in Broker, offset \in Ends : SlaveConfirms(s, offset)
  \/ \E s \in Broker, offset \in Ends : OffsetIsReported(s, offset)
  \/ \E s \in Broker : SlaveCloses(s)
  \/ \E b \in Broker, epoch \in Epoch, start \in Ends, done \in BOOLEAN : EntryIsWritten(b, epoch, start, done)
  \/ \E b \in Broker, epoch \in Epoch : FileIsCutFromEpoch(b, epoch)
  \/ \E b \in Broker, offset \in Ends : FileIsCutFromOffset(b, offset)

TracedSpec == TracedInit /\ [][TracedNext]_<<everything, recorded, traced>>

-----------------------------------------------------------------------------
(* Of a model that is explored: one broker leads before the other one does anything, nobody proposes a set, and one packet
   or one report is under way. *)
LittleIsUnderWay ==
  LET others == Broker \ {FirstId} IN
  /\ \A x \in reigns : x.master = FirstId
  /\ \A b \in Broker : asked[b] = {} /\ marked[b] = {} /\ granted[b] = {}
  /\ \A k \in Lines : line[k].slave # FirstId /\ Len(line[k].packets) + Len(line[k].reports) <= 1
  /\ \A k \in Lines : line[k].at \notin others
  /\ \/ broker[FirstId].role = "Master" /\ broker[FirstId].sss # {} /\ disk[FirstId].epochFile # <<>> /\ confirmed[FirstId] = 0
     \/ \A b \in others : broker[b].role = "Fenced" /\ confirmed[b] = -1 /\ \A k \in Lines : line[k] = Free

=============================================================================
