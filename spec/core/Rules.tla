-------------------------------- MODULE Rules --------------------------------
(***************************************************************************)
(* The rules that a .cfg may replace, in the REPAIRED reading. The same    *)
(* names with AsDesigned and AsShipped are in AsDesigned.tla and           *)
(* AsShipped.tla; modules in bugs/ hold one wrong rule each.               *)
(***************************************************************************)
EXTENDS Cluster

-----------------------------------------------------------------------------
(* Acknowledgement and confirmation *)

(* The set whose members must hold a message: what the controller may have stored, whichever proposal it applied. *)
AckSet(b) == Union(b)

(* How far a broker's log counts as a copy. Repaired: only what is on its disk. *)
DurableEnd(b) == disk[b].flushed

(* Brokers that the master knows to hold the log up to an offset; each counts once. *)
Holders(m, offset) ==
  { s \in Connected(m) \ {m} : connection[m][s].ack >= offset } \cup { x \in {m} : DurableEnd(x) >= offset }

(* May the producer of the message that ends at this offset be told that it is stored? *)
MayAcknowledge(m, offset) ==
  /\ broker[m].role = "Master"
  /\ AckedByMembers(AllAck, InSyncReplicas, MinInSyncReplicas, AckSet(m), Holders(m, offset))

(* May a put be appended? The minimum of replicas is asked before the append as well. *)
MayAppend(b) == broker[b].role = "Master" /\ MembersSuffice(AckSet(b), MinInSyncReplicas)

(* How far consumers may read on a broker. *)
ReadLimit(b) ==
  IF broker[b].role = "Master" /\ (Union(b) = {b} \/ ~AllAck) THEN DurableEnd(b) ELSE disk[b].confirm

(* How far the queues go that consumers read through: the dispatch's end. *)
DispatchLimit(b) == Smaller(ReadLimit(b), EndOfLog(b))

(* The master's confirmOffset once the acks are `acks`, from connections `connected`, its confirmed set is `local`, and
   together with the proposals under way that is `members`. *)
ConfirmWith(m, local, members, connected, acks) ==
  IF members = {m} THEN Larger(disk[m].confirm, DurableEnd(m))
  ELSE ConfirmAtMaster(m, members, connected, acks, DurableEnd(m), disk[m].confirm)

(* Is the confirmOffset of m computed anew when s acknowledges? Repaired: of every master, whoever acknowledges. A proposed
   slave counts for acknowledgements; if its ack moves nothing, the confirmOffset stays behind what was acknowledged. *)
AckMovesConfirm(m, s) == broker[m].role = "Master"

(* The confirmOffset after a broker flushed all it has. A master's own flushed end is one of the offsets whose minimum
   it is; without this step it lags behind what is acknowledged, and the expand guard trusts it. *)
ConfirmAfterFlush(b) ==
  IF broker[b].role = "Master"
  THEN ConfirmAtMaster(b, Union(b), Connected(b), AcksOn(b), EndOfLog(b), disk[b].confirm)
  ELSE disk[b].confirm

(* The confirmOffset that a slave keeps when its master announced one. *)
ConfirmOnSlave(announced, logEnd, old) == ConfirmAtSlave(announced, logEnd, old)

-----------------------------------------------------------------------------
(* SyncStateSet *)

(* May the master propose to take a slave into the SyncStateSet? *)
ExpandGuard(m, s) ==
  /\ s \notin Learners
  /\ connection[m][s].ack >= ReadLimit(m)
  /\ connection[m][s].ack >= LastStart(disk[m].epochFile)

(* The set that the pipeline remembers when one more proposal is made: all that are not resolved. *)
PendingWith(m, members) == broker[m].pending \cup members

(* What a master takes for the confirmed set once it has proposed to drop s. Repaired: the confirmed set, until the
   controller has stored another. *)
SetWhileShrinking(b, s) == broker[b].sss

(* The confirmOffset that is stored when a set is proposed. Repaired: what could be read so far; from now on the stored
   offset counts, since the master is not alone any more. *)
ConfirmAtProposal(b) == Larger(disk[b].confirm, ReadLimit(b))

(* May a master forget its unresolved proposals because the controller's set has not changed? Repaired: no; a
   request may still be under way, only a newer number of the set shows that it can no longer be applied. *)
PollResolvesProposals == FALSE

(* Does a proposal leave at once, with the epochs of its computation? *)
SentAtOnce == TRUE

(* AlterSyncStateSet: the controller's checks in their order, and the response code. *)
AlterCode(r) ==
  CASE r.members = controller.sss                -> "ALTER_SYNC_STATE_SET_FAILED"
    [] controller.master # r.from                -> "INVALID_MASTER"
    [] controller.masterEpoch # r.masterEpoch    -> "FENCED_MASTER_EPOCH"
    [] controller.sssEpoch # r.sssEpoch          -> "FENCED_SYNC_STATE_SET_EPOCH"
    [] ~(r.members \subseteq Broker)             -> "INVALID_REPLICAS"
    [] ~(r.members \subseteq controller.alive)   -> "BROKER_NOT_ALIVE"
    [] r.from \notin r.members                   -> "ALTER_SYNC_STATE_SET_FAILED"
    [] OTHER                                     -> "SUCCESS"

-----------------------------------------------------------------------------
(* Election *)

(* Does the controller decide when it applies? Repaired (and with JRaft): yes. If not, a decision waits and is applied
   to whatever state the decisions before it leave. *)
DecidedWhenApplied == TRUE

(* Does the controller look for a master that is not alive? *)
InactiveMasterIsFound == controller.master # NoBroker /\ controller.master \notin controller.alive

(* Who may be elected when nobody ever was: the broker that asks. *)
FirstElected(b) == {b} \ Learners

(* From which set a master is elected, cleanly or not. *)
EligibleCleanly   == controller.sss \ Learners
EligibleUncleanly == Broker \ Learners

(* The SyncStateSet that an election leaves. *)
SyncStateSetAfterElection(new) == {new}

(* May a restarted broker that the controller names as master go on in the same epoch? Repaired: never; its requests
   of the earlier life may still be under way, and it may have lost the end of its log. It asks for a new epoch. *)
MayResume(b) == FALSE

(* Does a broker that is not registered yet obey a late notification? *)
HeedsNotice(b) == broker[b].role # "Fenced"

(* May the metadata of the whole broker set be cleaned? Repaired: not while the master lives. *)
MayBeCleaned == controller.master = NoBroker \/ controller.master \notin controller.alive

(* May a number that the SyncStateSet once had be given to another one? *)
NumberMayReturn == FALSE

(* What is left after the metadata was cleaned: the epoch, which rises, so that none is used twice and those who run learn
   of a newer one without a master: only then does ReplicasManager.schedulingSyncBrokerMetadata ask for an election
   (bugs/InsufficientCleaning); and the SyncStateSet, since with no member nobody could be elected cleanly any more; but no
   master. Where nobody ever was elected there is no epoch yet. *)
EpochAfterClean        == IF controller.masterEpoch = 0 THEN 0 ELSE controller.masterEpoch + 1
SssEpochAfterClean     == controller.sssEpoch + 1
MasterAfterClean       == NoBroker
SyncStateSetAfterClean == controller.sss

-----------------------------------------------------------------------------
(* Change of role *)

(* The SyncStateSet that a new master starts with. *)
SyncStateSetAtPromotion(b, info) == info.sss

(* The log that a new master starts with: all it has received, whether known to be confirmed or not. *)
LogAtPromotion(b) == disk[b].log

(* The confirmOffset that a new master with this log starts with. Without TrackConfirm slaves know none. *)
ConfirmAtPromotion(b, info, log) ==
  IF TrackConfirm \/ broker[b].role = "Master" THEN Smaller(disk[b].confirm, Len(log)) ELSE 0

(* The epoch file of a master that begins epoch e at the end of its log. *)
EpochFileAtPromotion(file, e, logEnd) == AppendNewerWins(file, Entry(e, logEnd))

(* Messages whose producers still wait when a master is demoted: their puts fail. *)
WaitingAfterDemotion(b) == {}

(* What a demoted master goes on knowing of its SyncStateSet: nothing. *)
SetsAfterDemotion(b) == [sss |-> {}, sssEpoch |-> 0, pending |-> {}]

(* How a broker comes back, and with what. *)
RoleAfterRestart(b)               == Blank("Fenced")
LogAfterRestart(d)                == d.log
EpochFileAfterRestart(file, end)  == KeepUpTo(file, end)
ConfirmAfterRestart(d, end)       == Smaller(d.confirm, end)
ResidueAfterTruncation(d, point)  == <<>>
RoleAfterLostDisk                 == "Lost"

-----------------------------------------------------------------------------
(* Replication *)

(* May slave s copy from m? Both know the same epoch, so m is the master of it. *)
HandshakeAllowed(s, m) == broker[m].role = "Master" /\ broker[m].masterEpoch = broker[s].masterEpoch

(* Where a slave cuts its log when it meets its master. *)
TruncationPoint(s, m) ==
  ConsistentPointOrStart(disk[s].epochFile, EndOfLog(s), disk[m].epochFile, EndOfLog(m))

(* The slave's epoch file after the cut: the master's, as far as the slave's log reaches. *)
EpochFileAfterHandshake(s, m, point) == KeepUpTo(disk[m].epochFile, point)

(* What the master hears as acknowledged right after the handshake: nothing. *)
FirstAck(s, point) == -1

(* The ack of an older connection of the same slave that goes on counting after a reconnect: none. *)
TwinAfterReconnect(m, s) == -1

(* What a connection remembers when a batch leaves: as shipped the end of the master's log. Not needed. *)
MasterEndAtTransfer(m) == -1

(* The next batch to s: how many messages, and the index of the epoch entry in its header. The entry is the one that
   covers the first byte of the batch, and the batch ends where that entry ends. *)
BatchOfOneEpoch(m, s) ==
  LET file == disk[m].epochFile
      next == EndOfLog(s)
      i    == IndexAt(file, next)
      room == Smaller(BatchSize, EndOfLog(m) - next)
  IN [size |-> IF i = 0 THEN 0 ELSE Smaller(room, EndOf(file, i, EndOfLog(m)) - next), label |-> i,
      transferEpoch |-> 0, transferEnd |-> -1]

NextBatch(m, s) == BatchOfOneEpoch(m, s)

(* The epoch file of slave s when a header arrives. *)
EpochFileOnHeader(s, file, x) == AppendNewerWins(file, x)

=============================================================================
