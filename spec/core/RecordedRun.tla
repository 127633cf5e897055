---------------------------- MODULE RecordedRun ----------------------------
(***************************************************************************)
(* What the logs of RocketMQ's controllers and brokers show of a run: the  *)
(* controller's decisions, roles, SyncStateSets, epoch files, handshakes   *)
(* and truncations, with offsets in bytes. Which messages are put, copied  *)
(* and acknowledged these logs do not say, so it is not here. One kind of  *)
(* step leaves no line: whether a heartbeat is too old is asked only when  *)
(* it matters (isBrokerActive), HeartbeatIsOld and HeartbeatIsRecent.      *)
(*                                                                         *)
(* The controller is ControllerOnly, as shipped; epoch files and the       *)
(* truncation point are those of EpochFile. It is what validate holds long *)
(* runs of real clusters to (docs/clusters.md), 5.1.1 to 5.5.1.            *)
(***************************************************************************)
EXTENDS ControllerOnly

CONSTANTS
  \* The offsets that occur in the run.
  \* @type: Set(Int);
  Ends,
  \* Larger than all of them.
  \* @type: Int;
  NoEnd

VARIABLES
  \* The brokers in the controller's table of heartbeats, whether these are recent or not.
  \* @type: Set(BROKER);
  table,
  \* The elections, and the sets that the controller has stored, each in its epoch under its number.
  \* @type: Set({ epoch: Int, master: BROKER });
  reigns,
  \* @type: Set({ epoch: Int, number: Int, members: Set(BROKER) });
  stored,
  \* The sets that a broker has proposed.
  \* @type: BROKER -> Set(Set(BROKER));
  asked,
  \* What masters have answered to handshakes: the file, and the end of the log.
  \* @type: Set({ file: Seq({ epoch: Int, start: Int }), end: Int });
  shown,
  \* Which of these a slave was given last.
  \* @type: BROKER -> { file: Seq({ epoch: Int, start: Int }), end: Int };
  heard,
  \* How far a broker's log goes at least; a process that starts may have lost what it had.
  \* @type: BROKER -> Int;
  reached

recorded == <<table, reigns, stored, asked, shown, heard, reached>>
ofController == <<controller, tables, registered>>
Unmoved == <<events, link, connection, requests, notices, history, used>>

NothingHeard == [file |-> <<>>, end |-> 0]

-----------------------------------------------------------------------------
(* The rules that differ from release to release. *)

(* HAK.doTruncate up to 5.3.x: the file is cut with the log. *)
FileAfterTruncation(file, point) == DropFromOffset(file, point)

(* Since 5.4.0 it never is (bugs/InsufficientTruncation). *)
FileIsKept(file, point) == file

-----------------------------------------------------------------------------
(* The controller: ControllerOnly's answers, and what is remembered of them. *)

BrokerRegisters(b) ==
  /\ table' = table \cup {b}
  /\ controller' = [controller EXCEPT !.alive = @ \cup {b}]
  /\ UNCHANGED <<tables, registered, Elsewhere, reigns, stored, asked, shown, heard, reached>>

BrokerExpires(b) ==
  /\ b \in table
  /\ table' = table \ {b}
  /\ controller' = [controller EXCEPT !.alive = @ \ {b}]
  /\ UNCHANGED <<tables, registered, Elsewhere, reigns, stored, asked, shown, heard, reached>>

HeartbeatIsRecent(b) == b \in table /\ BrokerIsHeard(b) /\ UNCHANGED recorded
HeartbeatIsOld(b)    == BrokerIsSilent(b) /\ UNCHANGED recorded

(* Another controller leads: it knows no heartbeats. *)
AnotherControllerLeads ==
  /\ table' = {}
  /\ controller' = [controller EXCEPT !.alive = {}]
  /\ UNCHANGED <<tables, registered, Elsewhere, reigns, stored, asked, shown, heard, reached>>

ControllerElects(new) ==
  /\ \E r \in Requester : MasterIsElected(r.asked, r.designated, new)
  /\ reigns' = reigns \cup {[epoch |-> controller'.masterEpoch, master |-> new]}
  /\ stored' = stored \cup {[epoch |-> controller'.masterEpoch, number |-> controller'.sssEpoch,
                             members |-> controller'.sss]}
  /\ UNCHANGED <<table, asked, shown, heard, reached>>

ControllerElectsNobody == NobodyIsElected /\ UNCHANGED recorded

(* What the master has proposed. That it found a slave late (HAS.maybeShrinkSyncStateSet, RM.checkSyncStateSetAndDoReport)
   it writes nowhere: a smaller set than the stored one may come without a line. *)
ControllerStores(members) ==
  /\ controller.master # NoBroker
  /\ members \in asked[controller.master] \/ members \subseteq controller.sss
  /\ AlterIsStored(controller.master, members, controller.masterEpoch, controller.sssEpoch)
  /\ stored' = stored \cup {[epoch |-> controller.masterEpoch, number |-> controller'.sssEpoch, members |-> members]}
  /\ UNCHANGED <<table, reigns, asked, shown, heard, reached>>

-----------------------------------------------------------------------------
(* Roles and sets of a broker *)

ProcessStarts(b) ==
  /\ broker' = [broker EXCEPT ![b] = Blank("Fenced")]
  /\ heard' = [heard EXCEPT ![b] = NothingHeard]
  /\ reached' = [reached EXCEPT ![b] = 0]
  /\ UNCHANGED <<ofController, disk, Unmoved, table, reigns, stored, asked, shown>>

(* RM.changeToMaster, RM.changeToSlave: only a greater epoch, and one that the controller has given. *)
BrokerBecomesMaster(b, epoch) ==
  /\ epoch > broker[b].masterEpoch
  /\ [epoch |-> epoch, master |-> b] \in reigns
  /\ broker' = [broker EXCEPT ![b].role = "Master", ![b].masterEpoch = epoch, ![b].master = b]
  /\ UNCHANGED <<ofController, disk, Unmoved, recorded>>

BrokerBecomesSlave(b, master, epoch) ==
  /\ epoch > broker[b].masterEpoch
  /\ master # b
  /\ [epoch |-> epoch, master |-> master] \in reigns
  /\ broker' = [broker EXCEPT ![b].role = "Slave", ![b].masterEpoch = epoch, ![b].master = master]
  /\ UNCHANGED <<ofController, disk, Unmoved, recorded>>

(* RM.changeSyncStateSet: a greater number, and what the controller has stored under it. The answer to a proposal
   (RM.doReportSyncStateSetChanged) may come when a later epoch is known (inferred). *)
BrokerLearnsSet(b, members) ==
  \E x \in stored :
    /\ x.members = members
    /\ x.epoch <= broker[b].masterEpoch
    /\ x.number > broker[b].sssEpoch
    /\ broker' = [broker EXCEPT ![b].sss = members, ![b].sssEpoch = x.number]
    /\ UNCHANGED <<ofController, disk, Unmoved, recorded>>

(* HAS.maybeExpandInSyncStateSet adds one, HAS.removeConnection takes some; of the set that is known, or of one that was
   proposed. Neither looks at the role: a process that has just started knows no set, and a slave that connects to it
   before it is told one is all of what it proposes. *)
BrokerProposes(b, members) ==
  /\ broker[b].sss # {} => b \in members
  /\ \E base \in {broker[b].sss} \cup asked[b], s \in Broker : members \subseteq base \cup {s}
  /\ asked' = [asked EXCEPT ![b] = @ \cup {members}]
  /\ UNCHANGED <<ofController, brokerVars, Unmoved, table, reigns, stored, shown, heard, reached>>

(* HAC.maybeExpandInSyncStateSet: what a slave has reported, the confirmOffset, and the start of the newest entry; in each
   role. *)
SlaveIsCaughtUp(b, s, end, confirm, epoch, start) ==
  /\ s # b
  /\ end >= confirm
  /\ end >= start
  /\ epoch = LastEpoch(disk[b].epochFile)
  /\ start = LastStart(disk[b].epochFile)
  /\ UNCHANGED <<ofController, brokerVars, Unmoved, recorded>>

-----------------------------------------------------------------------------
(* Epoch files and logs *)

(* HAS.truncateInvalidMsg: where the log of a new master ends, before and after it is cut (-1: it is not). *)
LogIsExamined(b, cut, end) ==
  /\ end >= reached[b]
  /\ cut <= end
  /\ reached' = [reached EXCEPT ![b] = IF cut = -1 THEN end ELSE cut]
  /\ UNCHANGED <<ofController, brokerVars, Unmoved, table, reigns, stored, asked, shown, heard>>

(* HAS.changeToMaster, HAS.changeToMasterWhenLastRoleIsMaster: the epoch begins at the end of the log. *)
EntryAtPromotion(file, epoch, start) ==
  IF epoch < LastEpoch(file) THEN file ELSE AppendAsShipped(DropFromEpoch(file, epoch), Entry(epoch, start))

EpochBegins(b, epoch, start) ==
  /\ broker[b].role = "Master"
  /\ epoch = broker[b].masterEpoch
  /\ start >= reached[b]
  /\ disk' = [disk EXCEPT ![b].epochFile = EntryAtPromotion(@, epoch, start)]
  /\ reached' = [reached EXCEPT ![b] = start]
  /\ UNCHANGED <<ofController, broker, Unmoved, table, reigns, stored, asked, shown, heard>>

(* HAC.handshakeWithSlave. Whoever is asked answers, whether it is master or not. *)
MasterAnswersHandshake(b, end) ==
  /\ end >= reached[b]
  /\ shown' = shown \cup {[file |-> disk[b].epochFile, end |-> end]}
  /\ reached' = [reached EXCEPT ![b] = end]
  /\ UNCHANGED <<ofController, brokerVars, Unmoved, table, reigns, stored, asked, heard>>

SlaveHearsAnswer(s, end) ==
  \E x \in shown :
    /\ x.end = end
    /\ heard' = [heard EXCEPT ![s] = x]
    /\ UNCHANGED <<ofController, brokerVars, Unmoved, table, reigns, stored, asked, shown, reached>>

(* HAK.doTruncate, EpochFileCache.findConsistentPoint *)
SlaveTruncates(s, end, point) ==
  /\ disk[s].epochFile # <<>>
  /\ end >= reached[s]
  /\ point = ConsistentPoint(disk[s].epochFile, end, heard[s].file, heard[s].end)
  /\ disk' = [disk EXCEPT ![s].epochFile = IF point = NoPoint THEN @ ELSE FileAfterTruncation(@, point)]
  /\ reached' = [reached EXCEPT ![s] = IF point = NoPoint THEN @ ELSE Smaller(point, end)]
  /\ UNCHANGED <<ofController, broker, Unmoved, table, reigns, stored, asked, shown, heard>>

SlaveCutsNothing(s) ==
  /\ disk[s].epochFile = <<>>
  /\ UNCHANGED <<ofController, brokerVars, Unmoved, recorded>>

(* HAK.processReadResult: a header of a transfer with an entry that the slave has not. *)
SlaveLearnsEntry(s, epoch) ==
  LET m == broker[s].master IN
  /\ broker[s].role = "Slave"
  /\ \E i \in DOMAIN disk[m].epochFile :
       LET x == disk[m].epochFile[i] IN
       /\ x.epoch = epoch
       /\ ~AppendRefused(disk[s].epochFile, x)
       /\ disk' = [disk EXCEPT ![s].epochFile = Append(@, x)]
  /\ UNCHANGED <<ofController, broker, Unmoved, recorded>>

(* HAK: an offset that a slave reports. *)
SlaveReports(s, end) ==
  /\ end >= reached[s]
  /\ reached' = [reached EXCEPT ![s] = end]
  /\ UNCHANGED <<ofController, brokerVars, Unmoved, table, reigns, stored, asked, shown, heard>>

-----------------------------------------------------------------------------
RunInit ==
  /\ Init
  (* These are the brokers that the logs speak of. *)
  /\ tables = Both /\ registered = Broker
  /\ table = {}
  /\ reigns = {} /\ stored = {} /\ shown = {}
  /\ asked = [b \in Broker |-> {}]
  /\ heard = [b \in Broker |-> NothingHeard]
  /\ reached = [b \in Broker |-> 0]

RunNext ==
  \/ \E b \in Broker : BrokerRegisters(b)
  \/ \E b \in Broker : BrokerExpires(b)
  \/ \E b \in Broker : HeartbeatIsRecent(b)
  \/ \E b \in Broker : HeartbeatIsOld(b)
  \/ AnotherControllerLeads
  \/ \E b \in Broker : ControllerElects(b)
  \/ ControllerElectsNobody
  \/ \E members \in Members : ControllerStores(members)
  \/ \E b \in Broker : ProcessStarts(b)
  \/ \E b \in Broker, epoch \in Epoch : BrokerBecomesMaster(b, epoch)
  \/ \E b, master \in Broker, epoch \in Epoch : BrokerBecomesSlave(b, master, epoch)
  \/ \E b \in Broker, members \in Members : BrokerLearnsSet(b, members)
  \/ \E b \in Broker, members \in Members : BrokerProposes(b, members)
  \/ \E b, s \in Broker, end, confirm, start \in Ends, epoch \in Epoch : SlaveIsCaughtUp(b, s, end, confirm, epoch, start)
  \/ \E b \in Broker, cut \in Ends \cup {-1}, end \in Ends : LogIsExamined(b, cut, end)
  \/ \E b \in Broker, epoch \in Epoch, start \in Ends : EpochBegins(b, epoch, start)
  \/ \E b \in Broker, end \in Ends : MasterAnswersHandshake(b, end)
  \/ \E s \in Broker, end \in Ends : SlaveHearsAnswer(s, end)
  \/ \E s \in Broker, end \in Ends, point \in Ends \cup {NoPoint} : SlaveTruncates(s, end, point)
  \/ \E s \in Broker : SlaveCutsNothing(s)
  \/ \E s \in Broker, epoch \in Epoch : SlaveLearnsEntry(s, epoch)
  \/ \E s \in Broker, end \in Ends : SlaveReports(s, end)

RunSpec == RunInit /\ [][RunNext]_<<everything, recorded>>

-----------------------------------------------------------------------------
(* Of a model that is explored: one answer, one proposal of each broker. *)
OneOfEach == Cardinality(shown) <= 1 /\ \A b \in Broker : Cardinality(asked[b]) <= 1

\* A reign has one master.
OneMasterInEachReign == \A x, y \in reigns : x.epoch = y.epoch => x = y

=============================================================================
