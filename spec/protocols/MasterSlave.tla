----------------------------- MODULE MasterSlave -----------------------------
(***************************************************************************)
(* The log of a broker set without a controller: brokerId 0 is the master  *)
(* and stays it, slaves copy from it (DefaultHAService), and with          *)
(* enableSlaveActingMaster a put asks how many replicas keep up (RIP-32,   *)
(* quorum write). What an operator asks of it, as in Operations. Who acts  *)
(* for a missing master is SlaveActingMaster's business: it takes no put.  *)
(*                                                                         *)
(* Left out: batches, the gap up to which a slave counts as keeping up     *)
(* (haMaxGapNotInSync: InSyncGap), the isolation of a master that returns  *)
(* (PreOnline).                                                            *)
(*                                                                         *)
(* Learned: no number of acknowledgements saves a message from a master    *)
(* that returns without the end of its log. It serves without it, whatever *)
(* its slaves have; as shipped it even takes their longer logs for copies  *)
(* of what it appends next (#3015). Only SYNC_FLUSH helps.                 *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, AckPolicy

CONSTANTS
  \* brokerIds are 0..MaxId, 0 is the master.
  \* @type: Int;
  MaxId,
  \* brokerRole=SYNC_MASTER
  \* @type: Bool;
  SyncMaster,
  \* @type: Int;
  InSyncReplicas,
  \* @type: Int;
  MinInSyncReplicas,
  \* enableAutoInSyncReplicas
  \* @type: Bool;
  AutoDegrade,
  \* enableSlaveActingMaster
  \* @type: Bool;
  ActingMaster,
  \* flushDiskType=SYNC_FLUSH
  \* @type: Bool;
  SyncFlush,
  \* Budgets: messages, processes that end, machines that lose what was not flushed, lost disks, replicas that the
  \* nameserver takes for dead though they run, connections that break, reads.
  \* @type: Int;
  MaxPuts,
  \* @type: Int;
  MaxCrashes,
  \* @type: Int;
  MaxLosses,
  \* @type: Int;
  MaxLostDisks,
  \* @type: Int;
  MaxSilences,
  \* @type: Int;
  MaxBreaks,
  \* @type: Int;
  MaxReads

VARIABLES
  \* Up, Down, or Lost with its disk; the log as message ids; how much of it is flushed.
  \* @type: Int -> { state: Str, log: Seq(Int), flushed: Int };
  replica,
  \* The master's end of a slave's connection: the offset that the slave reported.
  \* @type: Int -> { open: Bool, ack: Int };
  connection,
  \* The members that the nameserver lists.
  \* @type: Set(Int);
  listed,
  \* Messages whose producers wait, and the copies that each needs.
  \* @type: Set({ id: Int, need: Int });
  waiting,
  \* Ghost: acknowledged messages, and those that a consumer has read.
  \* @type: { acked: Set(Int), consumed: Set(Int) };
  history,
  \* How much of each budget is used.
  \* @type: { puts: Int, crashes: Int, losses: Int, lostDisks: Int, silences: Int, breaks: Int, reads: Int };
  used

vars == <<replica, connection, listed, waiting, history, used>>

Id      == 0..MaxId
Slave   == 1..MaxId
Message == 1..MaxPuts

Up(b)      == replica[b].state = "Up"
End(b)     == Len(replica[b].log)
IdsOn(b)   == { replica[b].log[i] : i \in DOMAIN replica[b].log }
Prefix(s, n)  == SubSeq(s, 1, n)
Smaller(x, y) == IF x <= y THEN x ELSE y

TypeOK ==
  /\ \A b \in Id : /\ replica[b].state \in {"Up", "Down", "Lost"}
                   /\ IdsOn(b) \subseteq Message
                   /\ replica[b].flushed \in 0..MaxPuts
  /\ \A s \in Slave : connection[s].ack \in 0..MaxPuts
  /\ listed \subseteq Id
  /\ \A w \in waiting : w.id \in Message
  /\ history.acked \cup history.consumed \subseteq Message

Closed == [open |-> FALSE, ack |-> 0]

Init ==
  /\ replica = [b \in Id |-> [state |-> "Up", log |-> <<>>, flushed |-> 0]]
  /\ connection = [s \in Slave |-> [open |-> TRUE, ack |-> 0]]
  /\ listed = Id
  /\ waiting = {}
  /\ history = [acked |-> {}, consumed |-> {}]
  /\ used = [puts |-> 0, crashes |-> 0, losses |-> 0, lostDisks |-> 0, silences |-> 0, breaks |-> 0, reads |-> 0]

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* What a slave keeps of its log when it connects: as much as its master has. *)
KeptAtHandshake(s) ==
  LET same == { n \in 0..Smaller(End(s), End(0)) : Prefix(replica[s].log, n) = Prefix(replica[0].log, n) }
  IN CHOOSE n \in same : \A other \in same : other <= n

(* As shipped: all of it; logs are not compared (DefaultHAClient.connectMaster reports getMaxPhyOffset). *)
KeptAsShipped(s) == End(s)

(* The replicas that keep up, as the master counts them. aliveReplicaNumInGroup is what the nameserver lists. *)
InSync ==
  LET connected == 1 + Cardinality({ s \in Slave : connection[s].open })
  IN Smaller(Cardinality(listed \cup {0}), connected)

(* Copies that a put needs, the master's included. *)
NeededWith(inSync) ==
  IF ~SyncMaster THEN 1
  ELSE IF ActingMaster THEN AcksNeededActingMaster(AutoDegrade, InSyncReplicas, MinInSyncReplicas, inSync)
  ELSE InSyncReplicas

(* The least that a put may need where slaves lag by more than haMaxGapNotInSync, so that they are not counted though *)
(* they are connected (DefaultHAService.isInSyncSlave); only with enableAutoInSyncReplicas does a put then go on.      *)
NeededWhileSlavesLag(inSync) == AcksNeededActingMaster(AutoDegrade, InSyncReplicas, MinInSyncReplicas, 1)

MayAppend == Up(0) /\ (SyncMaster /\ ActingMaster => NeededWith(InSync) <= InSync)

Position(id) == CHOOSE i \in DOMAIN replica[0].log : replica[0].log[i] = id

(* GroupTransferService, and with SYNC_FLUSH the master's own disk. *)
Acknowledgeable(w) ==
  /\ 1 + Cardinality({ s \in Slave : connection[s].open /\ connection[s].ack >= Position(w.id) }) >= w.need
  /\ SyncFlush => replica[0].flushed >= Position(w.id)

(* Where no machine can lose bytes, every byte counts as flushed. *)
With(r, log) == [r EXCEPT !.log = log, !.flushed = IF MaxLosses = 0 THEN Len(log) ELSE Smaller(@, Len(log))]

-----------------------------------------------------------------------------
MasterAppends ==
  /\ used.puts < MaxPuts
  /\ MayAppend
  /\ replica' = [replica EXCEPT ![0] = With(@, Append(@.log, used.puts + 1))]
  /\ waiting' = waiting \cup {[id |-> used.puts + 1, need |-> NeededWith(InSync)]}
  /\ used' = [used EXCEPT !.puts = @ + 1]
  /\ UNCHANGED <<connection, listed, history>>

MasterAcknowledges(w) ==
  /\ Up(0)
  /\ Acknowledgeable(w)
  /\ waiting' = waiting \ {w}
  /\ history' = [history EXCEPT !.acked = @ \cup {w.id}]
  /\ UNCHANGED <<replica, connection, listed, used>>

SlaveConnects(s) ==
  /\ Up(s) /\ Up(0)
  /\ ~connection[s].open
  /\ replica' = [replica EXCEPT ![s] = With(@, Prefix(@.log, KeptAtHandshake(s)))]
  /\ connection' = [connection EXCEPT ![s] = [open |-> TRUE, ack |-> KeptAtHandshake(s)]]
  /\ UNCHANGED <<listed, waiting, history, used>>

SlaveCopies(s) ==
  /\ connection[s].open
  /\ End(s) < End(0)
  /\ replica' = [replica EXCEPT ![s] = With(@, @.log \o SubSeq(replica[0].log, End(s) + 1, End(0)))]
  /\ UNCHANGED <<connection, listed, waiting, history, used>>

MasterHears(s) ==
  /\ connection[s].open
  /\ connection[s].ack < End(s)
  /\ connection' = [connection EXCEPT ![s].ack = End(s)]
  /\ UNCHANGED <<replica, listed, waiting, history, used>>

Flush(b) ==
  /\ Up(b)
  /\ replica[b].flushed < End(b)
  /\ replica' = [replica EXCEPT ![b].flushed = End(b)]
  /\ UNCHANGED <<connection, listed, waiting, history, used>>

(* CommitLog.getConfirmOffset without a controller: with SYNC_FLUSH what is flushed, else all. *)
Shown(b) == { replica[b].log[i] : i \in 1..(IF SyncFlush THEN replica[b].flushed ELSE End(b)) }

(* readUnCommitted: the dispatch goes to the end of the log (DefaultMessageStore.getReputEndOffset). *)
ShownUncommitted(b) == { replica[b].log[i] : i \in 1..End(b) }

(* A slave is read while the master is down. *)
ConsumerReads(b) ==
  /\ used.reads < MaxReads
  /\ Up(b)
  /\ b = 0 \/ ~Up(0)
  /\ ~(Shown(b) \subseteq history.consumed)
  /\ history' = [history EXCEPT !.consumed = @ \cup Shown(b)]
  /\ used' = [used EXCEPT !.reads = @ + 1]
  /\ UNCHANGED <<replica, connection, listed, waiting>>

-----------------------------------------------------------------------------
(* The process of b ends. *)
Ends(b) ==
  /\ connection' = [s \in Slave |-> IF b \in {0, s} THEN Closed ELSE connection[s]]
  /\ waiting' = IF b = 0 THEN {} ELSE waiting

ProcessEnds(b) ==
  /\ used.crashes < MaxCrashes
  /\ Up(b)
  /\ Ends(b)
  /\ replica' = [replica EXCEPT ![b].state = "Down"]
  /\ used' = [used EXCEPT !.crashes = @ + 1]
  /\ UNCHANGED <<listed, history>>

(* How much of its log may be left when a machine fails: some of what it had not flushed is gone. *)
KeptByMachine(b) == replica[b].flushed..(End(b) - 1)

(* The same of a process with a pool of its own (transientStorePoolEnable): the master loses what it had not committed to
   its file, and it sends to slaves only what it had (DefaultMappedFile.getReadPosition). A slave writes to the file. *)
KeptByPool(b) ==
  IF b # 0 THEN {End(b)}
  ELSE { n \in replica[0].flushed..End(0) :
           \A i \in (n + 1)..End(0), s \in Slave : \A j \in 1..End(s) : replica[s].log[j] # replica[0].log[i] }

MachineFails(b, kept) ==
  /\ used.losses < MaxLosses
  /\ Up(b)
  /\ kept \in KeptByMachine(b)
  /\ Ends(b)
  /\ replica' = [replica EXCEPT ![b] = [state |-> "Down", log |-> Prefix(@.log, kept), flushed |-> kept]]
  /\ used' = [used EXCEPT !.losses = @ + 1]
  /\ UNCHANGED <<listed, history>>

DiskIsLost(b) ==
  /\ used.lostDisks < MaxLostDisks
  /\ Up(b)
  /\ Ends(b)
  /\ replica' = [replica EXCEPT ![b] = [state |-> "Lost", log |-> <<>>, flushed |-> 0]]
  /\ used' = [used EXCEPT !.lostDisks = @ + 1]
  /\ UNCHANGED <<listed, history>>

ProcessStarts(b) ==
  /\ replica[b].state = "Down"
  /\ replica' = [replica EXCEPT ![b].state = "Up", ![b].flushed = End(b)]
  /\ UNCHANGED <<connection, listed, waiting, history, used>>

(* The nameserver takes a member from its list that it has not heard: one that is down, or from the budget. *)
MemberIsMissed(b) ==
  /\ b \in listed
  /\ ~Up(b) \/ used.silences < MaxSilences
  /\ listed' = listed \ {b}
  /\ used' = IF Up(b) THEN [used EXCEPT !.silences = @ + 1] ELSE used
  /\ UNCHANGED <<replica, connection, waiting, history>>

MemberIsListed(b) ==
  /\ b \notin listed
  /\ Up(b)
  /\ listed' = listed \cup {b}
  /\ UNCHANGED <<replica, connection, waiting, history, used>>

ConnectionBreaks(s) ==
  /\ used.breaks < MaxBreaks
  /\ connection[s].open
  /\ connection' = [connection EXCEPT ![s] = Closed]
  /\ used' = [used EXCEPT !.breaks = @ + 1]
  /\ UNCHANGED <<replica, listed, waiting, history>>

Next ==
  \/ MasterAppends
  \/ \E w \in waiting : MasterAcknowledges(w)
  \/ \E s \in Slave : SlaveConnects(s)
  \/ \E s \in Slave : SlaveCopies(s)
  \/ \E s \in Slave : MasterHears(s)
  \/ \E b \in Id : Flush(b)
  \/ \E b \in Id : ConsumerReads(b)
  \/ \E b \in Id : ProcessEnds(b)
  \/ \E b \in Id, kept \in 0..MaxPuts : MachineFails(b, kept)
  \/ \E b \in Id : DiskIsLost(b)
  \/ \E b \in Id : ProcessStarts(b)
  \/ \E b \in Id : MemberIsMissed(b)
  \/ \E b \in Id : MemberIsListed(b)
  \/ \E s \in Slave : ConnectionBreaks(s)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Alive == { b \in Id : Up(b) }

CanServeWrites(up) ==
  /\ 0 \in up
  /\ NeededWith(Cardinality(up)) <= Cardinality(up)

\* A message whose producer was told that it is stored is missing on the master, or on every disk that is left.
AcknowledgedIsKept ==
  /\ Up(0) => history.acked \subseteq IdsOn(0)
  /\ history.acked \subseteq UNION { IdsOn(b) : b \in Id }

\* A message that a consumer has read is missing on the master.
ConsumedIsKept == Up(0) => history.consumed \subseteq IdsOn(0)

\* A majority of the replicas runs, and no message can be stored.
MajorityServesWrites == 2 * Cardinality(Alive) > MaxId + 1 => CanServeWrites(Alive)

\* All replicas but one run, and no message can be stored.
WritesSurviveOneLoss == Cardinality(Id \ Alive) <= 1 => CanServeWrites(Alive)

\* The master's disk is gone and nobody takes its place, or a slave holds other bytes than its master where both have some: somebody has to repair it by hand.
NoManualRepair ==
  /\ replica[0].state # "Lost"
  /\ \A s \in Slave :
       connection[s].open => Prefix(replica[s].log, Smaller(End(s), End(0))) = Prefix(replica[0].log, Smaller(End(s), End(0)))

\* The master counts bytes as copied that a slave does not have of it, so messages are acknowledged with too few copies.
AckNeverExceedsMaster == \A s \in Slave : connection[s].open => connection[s].ack <= End(0)

\* A log grows, shrinks or is flushed otherwise than by a put, a copy, a handshake or a fault, or a process changes without one that is counted.
ReplicasChange ==
  [][LET failed == used'.losses # used.losses
     IN /\ used' # used =>
             /\ used'.puts + used'.crashes + used'.losses + used'.lostDisks + used'.silences + used'.breaks + used'.reads
                  = used.puts + used.crashes + used.losses + used.lostDisks + used.silences + used.breaks + used.reads + 1
             /\ used'.puts <= MaxPuts /\ used'.crashes <= MaxCrashes /\ used'.losses <= MaxLosses /\ used'.lostDisks <= MaxLostDisks
             /\ used'.silences <= MaxSilences /\ used'.breaks <= MaxBreaks /\ used'.reads <= MaxReads
        /\ used'.crashes + used'.losses + used'.lostDisks # used.crashes + used.losses + used.lostDisks =>
             \E b \in Id : Up(b) /\ replica'[b].state # "Up"
        /\ used'.puts # used.puts => replica'[0].log = Append(replica[0].log, used'.puts)
        /\ \A b \in Id :
             LET old  == replica[b]
                 new  == replica'[b]
                 kept == Len(new.log)
             IN /\ new.state # old.state =>
                     CASE new.state = "Up"   -> old.state = "Down" /\ new.flushed = kept /\ UNCHANGED used
                       [] new.state = "Down" -> used'.crashes # used.crashes \/ (failed /\ kept < Len(old.log))
                       [] OTHER              -> used'.lostDisks # used.lostDisks /\ new.log = <<>>
                /\ kept > Len(old.log) =>
                     IF b = 0 THEN used'.puts # used.puts
                     ELSE connection[b].open /\ new.log = old.log \o SubSeq(replica[0].log, Len(old.log) + 1, End(0))
                /\ kept <= Len(old.log) => new.log = Prefix(old.log, kept)
                /\ kept < Len(old.log) /\ new.state = "Up" =>
                     /\ b # 0 /\ ~connection[b].open /\ connection'[b].open
                     /\ new.log = Prefix(replica[0].log, kept) /\ (kept < End(0) => old.log[kept + 1] # replica[0].log[kept + 1])
                /\ new.state = "Down" => kept >= old.flushed
                /\ new.flushed # old.flushed => new.flushed = kept /\ (old.state = "Up" \/ new.state = "Up")
                /\ new.flushed <= kept /\ (MaxLosses = 0 => new.flushed = kept)]_vars

\* A connection, the nameserver's list or an acknowledgement changes without a reason, or a consumer reads what is not shown.
ConnectionsAndAnswersChange ==
  [][/\ \A s \in Slave :
          LET old == connection[s]
              new == connection'[s]
          IN /\ new.open => replica'[s].state = "Up" /\ replica'[0].state = "Up"
             /\ old.open /\ ~new.open => new = Closed /\ (used'.breaks # used.breaks \/ ~(Up(s) /\ Up(0))')
             /\ ~old.open => IF new.open THEN Up(s) /\ Up(0) /\ new.ack = Len(replica'[s].log) ELSE new = old
             /\ old.open /\ new.open /\ new # old => new.ack = End(s) /\ new.ack > old.ack
     /\ used'.breaks # used.breaks => connection' # connection
     /\ listed' # listed =>
          \E b \in Id : IF b \in listed THEN listed' = listed \ {b} /\ (Up(b) => used'.silences # used.silences)
                        ELSE listed' = listed \cup {b} /\ Up(b)
     /\ used'.silences # used.silences => \E b \in listed \ listed' : Up(b)
     /\ \A w \in waiting' \ waiting :
          /\ w.id = used'.puts /\ used'.puts # used.puts /\ Up(0)
          /\ SyncMaster /\ ActingMaster /\ ~AutoDegrade => w.need = InSyncReplicas
          /\ SyncMaster /\ ActingMaster =>
               /\ w.need <= Cardinality({ s \in Slave : connection[s].open }) + 1
               /\ w.need <= Cardinality(listed \ {0}) + 1
     /\ used'.puts # used.puts => \E w \in waiting' : w.id = used'.puts
     /\ \A w \in waiting \ waiting' :
          \/ replica'[0].state # "Up"
          \/ /\ w.id \in history'.acked /\ Cardinality({ b \in Id : w.id \in IdsOn(b) }) >= w.need
             /\ SyncFlush => w.id \in { replica[0].log[i] : i \in 1..replica[0].flushed }
     /\ Up(0) /\ replica'[0].state # "Up" => waiting' = {}
     /\ history'.acked # history.acked => \E w \in waiting \ waiting' : history'.acked = history.acked \cup {w.id}
     /\ history.consumed \subseteq history'.consumed
     /\ history'.consumed # history.consumed <=> used'.reads # used.reads
     /\ history'.consumed # history.consumed =>
          \E b \in Id : Up(b) /\ (b = 0 \/ ~Up(0)) /\ history'.consumed \ history.consumed \subseteq IdsOn(b)]_vars
=============================================================================
