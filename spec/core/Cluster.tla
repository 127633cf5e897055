------------------------------- MODULE Cluster -------------------------------
(***************************************************************************)
(* Constants and state of one broker set under Controller mode; what else  *)
(* a configuration may set is in Settings.                                 *)
(*                                                                         *)
(* Time is not modelled: a time-out is an action that may happen. Faults   *)
(* and client requests are bounded by budgets, the Max... of Settings; a   *)
(* fault with budget 0 costs nothing. A partition needs no state: the      *)
(* actions that would cross it are not taken, and what each side notices   *)
(* of it is an action (HeartbeatExpires, ConnectionBreaks).                *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, Settings, EpochFile, AckPolicy, ConfirmOffset

CONSTANTS
  \* The replicas of the broker set; a replica is its brokerId (assignment: see Registration.tla).
  \* @type: Set(BROKER);
  Broker,
  \* Stands for "no broker".
  \* @type: BROKER;
  NoBroker,
  \* Where a behaviour begins: this broker is master of epoch 1 (NoBroker: nobody was ever elected).
  \* @type: BROKER;
  FirstMaster,
  \* The SyncStateSet at the beginning; its members are connected to FirstMaster.
  \* @type: Set(BROKER);
  FirstSyncStateSet

VARIABLES
  \* The controller's replicated state and its view of liveness. The Raft group behind it is one atomic
  \* object: a request is evaluated and applied in one step (JRaft style, and rule 12 of the repaired reading).
  \* Left out: addresses, check codes, the reported offsets that only rank equally eligible candidates.
  \* @type: { masterEpoch: Int, master: BROKER, sss: Set(BROKER), sssEpoch: Int, alive: Set(BROKER) };
  controller,
  \* Decisions that the controller has taken and not applied yet; only a controller that decides before it applies
  \* (DLedger as shipped) has any. They are applied later, whatever has changed meanwhile.
  \* @type: Seq({ type: Str, master: BROKER, members: Set(BROKER), masterEpoch: Int, basis: Int });
  events,
  \* What a broker's disk holds. An offset is a number of messages: one message is one unit, so logs always end
  \* at a message boundary. `residue` is what a truncation left behind the end of the log; `confirm` is the
  \* confirmOffset, written to the checkpoint at once. Left out: consume queues, file segments, expiry of old files.
  \* @type: BROKER -> { log: Seq({ id: Int, epoch: Int }), flushed: Int, epochFile: Seq({ epoch: Int, start: Int }), confirm: Int, residue: Seq({ id: Int, epoch: Int }) };
  disk,
  \* What a broker's process knows and forgets when it ends. `sss` is the set that the controller confirmed, `pending`
  \* the union of the proposals that are not resolved, `waiting` the messages whose producers wait for an answer.
  \* Left out: caught-up times (a time-out is an action), the notification threads.
  \* @type: BROKER -> { role: Str, masterEpoch: Int, master: BROKER, sss: Set(BROKER), sssEpoch: Int, pending: Set(BROKER), waiting: Set(Int) };
  broker,
  \* The slave's end of replication: the broker that it copies from, after the handshake.
  \* @type: BROKER -> BROKER;
  link,
  \* The master's end, per master and slave: highest acknowledged offset (-1: none yet), and for the shipped reading
  \* the epoch that is being transferred, where it ends (-1: open), the ack of an older connection of the same slave
  \* that was not reaped yet, and the end of the master's log when the last batch left (-1: none did). Packets in
  \* flight are not kept: sending and receiving a batch is one step.
  \* @type: BROKER -> BROKER -> { open: Bool, ack: Int, transferEpoch: Int, transferEnd: Int, twin: Int, masterEnd: Int };
  connection,
  \* AlterSyncStateSet requests under way; `sent` is FALSE while one waits in the broker's queue. Requests outlive
  \* their sender. Replies are not kept: a reply is the controller's answer to the next poll, or it is lost.
  \* @type: Set({ type: Str, from: BROKER, masterEpoch: Int, sssEpoch: Int, members: Set(BROKER), sent: Bool, basis: Int });
  requests,
  \* Role notifications that may still arrive.
  \* @type: Set({ type: Str, epoch: Int, master: BROKER, sss: Set(BROKER), sssEpoch: Int });
  notices,
  \* Ghost: what the properties speak about and no broker knows. Acknowledged messages, those of them that had fewer
  \* copies than promised, messages returned to consumers, who acted as master of which epoch, and flags that
  \* an Alter was applied after the set it was computed from had changed, or a master was elected from outside.
  \* @type: { acked: Set(Int), thin: Set(Int), consumed: Set(Int), owners: Int -> Set(BROKER), staleAlter: Bool, foreignAlter: Bool, electedOutside: Bool };
  history,
  \* How much of each budget is used.
  \* @type: { puts: Int, alters: Int, crashes: Int, losses: Int, lostDisks: Int, expiries: Int, breaks: Int, designations: Int, failOvers: Int, cleans: Int, reads: Int };
  used

(* What mostly stays as it is together. *)
controllerVars  == <<controller, events>>
brokerVars      == <<disk, broker>>
replicationVars == <<link, connection>>
messageVars     == <<requests, notices>>

vars == <<controller, events, disk, broker, link, connection, requests, notices, history, used>>

-----------------------------------------------------------------------------
Message     == 1..MaxPuts
Offset      == 0..MaxPuts
Epoch       == 0..MaxEpoch
MaxSssEpoch == MaxEpoch + MaxAlters + MaxCleans
SssEpoch    == 0..MaxSssEpoch
Members     == SUBSET Broker
MaxEvents   == 2
Anyone      == Broker \cup {NoBroker}
LogEntry    == [id : Message, epoch : 1..MaxEpoch]
EpochEntry  == [epoch : 1..MaxEpoch, start : Offset]

(* Down: no process. Fenced: restarted, not yet registered. Promoting, Labelled: within changeToMaster.
   Lost: the disk is gone and with it the identity. *)
Role == {"Down", "Fenced", "Slave", "Promoting", "Labelled", "Master", "Lost"}

IsSeqOf(x, S, n) == Len(x) <= n /\ \A i \in DOMAIN x : x[i] \in S

ClosedConnection == [open |-> FALSE, ack |-> -1, transferEpoch |-> 0, transferEnd |-> -1, twin |-> -1,
                     masterEnd |-> -1]
FreshConnection  == [ClosedConnection EXCEPT !.open = TRUE]

TypeOK ==
  /\ controller \in [masterEpoch : Epoch, master : Anyone, sss : Members, sssEpoch : SssEpoch, alive : Members]
  /\ IsSeqOf(events, [type : {"AlterSyncStateSet", "ElectMaster"}, master : Anyone, members : Members,
                      masterEpoch : Epoch, basis : SssEpoch], MaxEvents)
  /\ \A b \in Broker :
       /\ DOMAIN disk[b] = {"log", "flushed", "epochFile", "confirm", "residue"}
       /\ IsSeqOf(disk[b].log, LogEntry, MaxPuts)
       /\ IsSeqOf(disk[b].residue, LogEntry, MaxPuts)
       /\ IsSeqOf(disk[b].epochFile, EpochEntry, MaxEpoch)
       /\ disk[b].flushed \in Offset
       /\ disk[b].confirm \in Offset
       /\ broker[b] \in [role : Role, masterEpoch : Epoch, master : Anyone, sss : Members, sssEpoch : SssEpoch,
                         pending : Members, waiting : SUBSET Message]
       /\ link[b] \in Anyone
       /\ \A s \in Broker :
            connection[b][s] \in [open : BOOLEAN, ack : -1..MaxPuts, transferEpoch : Epoch,
                                  transferEnd : -1..MaxPuts, twin : -1..MaxPuts, masterEnd : -1..MaxPuts]
  /\ DOMAIN disk = Broker /\ DOMAIN broker = Broker /\ DOMAIN link = Broker /\ DOMAIN connection = Broker
  /\ \A r \in requests :
       r \in [type : {"AlterSyncStateSet"}, from : Broker, masterEpoch : Epoch, sssEpoch : SssEpoch,
              members : Members, sent : BOOLEAN, basis : SssEpoch]
  /\ \A n \in notices :
       n \in [type : {"NotifyBrokerRoleChanged"}, epoch : Epoch, master : Broker, sss : Members, sssEpoch : SssEpoch]
  /\ history \in [acked : SUBSET Message, thin : SUBSET Message, consumed : SUBSET Message,
                  owners : [1..MaxEpoch -> Members],
                  staleAlter : BOOLEAN, foreignAlter : BOOLEAN, electedOutside : BOOLEAN]
  /\ used \in [puts : 0..MaxPuts, alters : 0..MaxAlters, crashes : 0..MaxCrashes, losses : 0..MaxLosses,
               lostDisks : 0..MaxLostDisks, expiries : 0..MaxExpiries, breaks : 0..MaxBreaks,
               designations : 0..MaxDesignations, failOvers : 0..MaxFailOvers, cleans : 0..MaxCleans,
               reads : 0..MaxReads]

-----------------------------------------------------------------------------
(* Reading the state *)

EndOfLog(b)   == Len(disk[b].log)
Prefix(s, n)  == SubSeq(s, 1, n)
IdsIn(s)      == { s[i].id : i \in DOMAIN s }
MessagesOn(b) == IdsIn(disk[b].log)
Up(b)         == broker[b].role \notin {"Down", "Lost"}
Running(b)    == broker[b].role \in {"Fenced", "Slave", "Master"}
Connected(m)  == { s \in Broker : connection[m][s].open }
AcksOn(m)     == [s \in Broker |-> connection[m][s].ack]
OffsetOf(b, id) == CHOOSE i \in DOMAIN disk[b].log : disk[b].log[i].id = id

(* The confirmed set together with every unresolved proposal (local and remote set in the Java). *)
Union(b) == broker[b].sss \cup broker[b].pending

(* What the controller answers to GetReplicaInfo. *)
ReplicaInfo == [epoch |-> controller.masterEpoch, master |-> controller.master,
                sss |-> controller.sss, sssEpoch |-> controller.sssEpoch]

(* A disk with another log. Where no machine crash can happen, every byte counts as flushed. *)
WithLog(d, log) ==
  [d EXCEPT !.log = log, !.flushed = IF MaxLosses = 0 THEN Len(log) ELSE Smaller(d.flushed, Len(log)),
            !.confirm = Smaller(d.confirm, Len(log))]

(* The process of a broker without any knowledge. *)
Blank(role) == [role |-> role, masterEpoch |-> 0, master |-> NoBroker, sss |-> {}, sssEpoch |-> 0,
                pending |-> {}, waiting |-> {}]

-----------------------------------------------------------------------------
(* Both ends of the connections when some of them end. Masters in `gone` lose every connection; slaves in `left`
   leave the master they copy from, which notices at once or, where HalfOpen, later (MasterNoticesLostConnection). *)
LinksWithout(gone, left) ==
  [s \in Broker |-> IF s \in left \/ link[s] \in gone THEN NoBroker ELSE link[s]]

ConnectionsWithout(gone, left) ==
  [m \in Broker |-> [s \in Broker |->
     IF m \in gone \/ (s \in left /\ link[s] = m /\ ~HalfOpen) THEN ClosedConnection ELSE connection[m][s]]]

-----------------------------------------------------------------------------
Init ==
  LET started == FirstMaster # NoBroker
      others  == FirstSyncStateSet \ {FirstMaster}
  IN
  /\ controller = [masterEpoch |-> IF started THEN 1 ELSE 0, master |-> FirstMaster, sss |-> FirstSyncStateSet,
                   sssEpoch |-> IF started THEN 1 ELSE 0, alive |-> Broker]
  /\ events = <<>>
  /\ disk = [b \in Broker |->
       [log |-> <<>>, flushed |-> 0, confirm |-> 0, residue |-> <<>>,
        epochFile |-> IF b \in FirstSyncStateSet THEN <<Entry(1, 0)>> ELSE <<>>]]
  /\ broker = [b \in Broker |->
       IF ~started THEN Blank("Fenced")
       ELSE IF b = FirstMaster
            THEN [Blank("Master") EXCEPT !.masterEpoch = 1, !.master = b, !.sss = FirstSyncStateSet, !.sssEpoch = 1]
            ELSE [Blank("Slave") EXCEPT !.masterEpoch = 1, !.master = FirstMaster]]
  /\ link = [b \in Broker |-> IF b \in others THEN FirstMaster ELSE NoBroker]
  /\ connection = [m \in Broker |-> [s \in Broker |->
       IF m = FirstMaster /\ s \in others THEN [FreshConnection EXCEPT !.ack = 0] ELSE ClosedConnection]]
  /\ requests = {}
  /\ notices = {}
  /\ history = [acked |-> {}, thin |-> {}, consumed |-> {},
                owners |-> [e \in 1..MaxEpoch |-> IF e = 1 /\ started THEN {FirstMaster} ELSE {}],
                staleAlter |-> FALSE, foreignAlter |-> FALSE, electedOutside |-> FALSE]
  /\ used = [puts |-> 0, alters |-> 0, crashes |-> 0, losses |-> 0, lostDisks |-> 0, expiries |-> 0, breaks |-> 0,
             designations |-> 0, failOvers |-> 0, cleans |-> 0, reads |-> 0]

=============================================================================
