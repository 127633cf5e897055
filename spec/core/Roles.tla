-------------------------------- MODULE Roles --------------------------------
(***************************************************************************)
(* How a broker learns its role from the controller and takes it, and what *)
(* a master does for its producers, its consumers and its SyncStateSet.    *)
(***************************************************************************)
EXTENDS Controller

-----------------------------------------------------------------------------
(* Becoming master *)

(* First step of changeToMaster: epoch and SyncStateSet are known. A broker that is master already keeps its
   waiting producers. *)
Promoted(b, role, info) ==
  [broker[b] EXCEPT !.role = role, !.masterEpoch = info.epoch, !.master = b,
                    !.sss = SyncStateSetAtPromotion(b, info), !.sssEpoch = info.sssEpoch, !.pending = {}]

(* Second: the connections of the old role are gone, the log is what it will be. *)
DiskAtPromotion(b, info) ==
  LET log == LogAtPromotion(b)
  IN [WithLog(disk[b], log) EXCEPT !.confirm = ConfirmAtPromotion(b, info, log)]

(* Third: the epoch begins at the end of the log. *)
DiskWithEpoch(d, e) == [d EXCEPT !.epochFile = EpochFileAtPromotion(@, e, Len(d.log))]

ActsAsMaster(b, e) == [history EXCEPT !.owners[e] = @ \cup {b}]

TakeMastership(b, info) ==
  IF broker[b].role = "Master"
  THEN (* changeToMasterWhenLastRoleIsMaster: connections and the log are kept *)
       /\ broker' = [broker EXCEPT ![b] = Promoted(b, "Master", info)]
       /\ disk' = [disk EXCEPT ![b] =
            DiskWithEpoch([@ EXCEPT !.confirm = ConfirmAtPromotion(b, info, disk[b].log)], info.epoch)]
       /\ history' = ActsAsMaster(b, info.epoch)
       /\ UNCHANGED replicationVars
  ELSE /\ link' = LinksWithout({b}, {b})
       /\ connection' = ConnectionsWithout({b}, {b})
       /\ IF FineSteps
          THEN /\ broker' = [broker EXCEPT ![b] = Promoted(b, "Promoting", info)]
               /\ disk' = [disk EXCEPT ![b] = DiskAtPromotion(b, info)]
               /\ UNCHANGED history
          ELSE /\ broker' = [broker EXCEPT ![b] = Promoted(b, "Master", info)]
               /\ disk' = [disk EXCEPT ![b] = DiskWithEpoch(DiskAtPromotion(b, info), info.epoch)]
               /\ history' = ActsAsMaster(b, info.epoch)

BecomeMaster(b) ==
  /\ Running(b)
  /\ controller.master = b
  /\ controller.masterEpoch > broker[b].masterEpoch
  /\ broker[b].role = "Fenced" => MayResume(b)
  /\ TakeMastership(b, ReplicaInfo)
  /\ UNCHANGED <<controllerVars, messageVars, used>>

(* Repaired: a restarted broker that is the master, or can be, asks to be elected anew and obeys only the answer to
   that request. If the answer is lost, it asks again. *)
RestartedBrokerIsElected(b) ==
  /\ broker[b].role = "Fenced"
  /\ ~MayResume(b)
  /\ controller.masterEpoch < MaxEpoch
  /\ controller.master \in {b, NoBroker}
  /\ b \in (IF controller.masterEpoch = 0 THEN FirstElected(b) ELSE EligibleCleanly)
  /\ LET next == [StateAfter(ElectMasterEvent(b)) EXCEPT !.alive = @ \cup {b}]
         info == [epoch |-> next.masterEpoch, master |-> b, sss |-> next.sss, sssEpoch |-> next.sssEpoch]
     IN /\ controller' = next
        /\ requests' = StillPossible(requests, next)
        /\ TakeMastership(b, info)
  /\ UNCHANGED <<events, notices, used>>

NewMasterRecordsEpoch(b) ==
  /\ broker[b].role = "Promoting"
  /\ broker' = [broker EXCEPT ![b].role = "Labelled"]
  /\ disk' = [disk EXCEPT ![b] = DiskWithEpoch(@, broker[b].masterEpoch)]
  /\ UNCHANGED <<controllerVars, replicationVars, messageVars, history, used>>

NewMasterOpensForPuts(b) ==
  /\ broker[b].role = "Labelled"
  /\ broker' = [broker EXCEPT ![b].role = "Master"]
  /\ history' = ActsAsMaster(b, broker[b].masterEpoch)
  /\ UNCHANGED <<controllerVars, disk, replicationVars, messageVars, used>>

-----------------------------------------------------------------------------
(* Becoming slave *)

TakeSlaveRole(b, info) ==
  LET sameMaster == broker[b].role = "Slave" /\ broker[b].master = info.master
      known      == SetsAfterDemotion(b)
  IN /\ broker' = [broker EXCEPT ![b] =
          [@ EXCEPT !.role = "Slave", !.masterEpoch = info.epoch, !.master = info.master, !.sss = known.sss,
                    !.sssEpoch = known.sssEpoch, !.pending = known.pending, !.waiting = WaitingAfterDemotion(b)]]
     /\ link' = IF sameMaster THEN link ELSE LinksWithout({b}, {b})
     /\ connection' = IF sameMaster THEN connection ELSE ConnectionsWithout({b}, {b})
     /\ disk' = IF TrackConfirm THEN disk ELSE [disk EXCEPT ![b].confirm = 0]

BecomeSlave(b) ==
  /\ Running(b)
  /\ controller.master \notin {b, NoBroker}
  /\ controller.masterEpoch > broker[b].masterEpoch
  /\ TakeSlaveRole(b, ReplicaInfo)
  /\ UNCHANGED <<controllerVars, messageVars, history, used>>

(* A notification of an earlier election arrives; only a greater epoch is obeyed. *)
ReceiveNotice(b, n) ==
  /\ Running(b)
  /\ HeedsNotice(b)
  /\ n.epoch > broker[b].masterEpoch
  /\ IF n.master = b THEN TakeMastership(b, n) ELSE TakeSlaveRole(b, n) /\ UNCHANGED history
  /\ UNCHANGED <<controllerVars, messageVars, used>>

-----------------------------------------------------------------------------
(* The master and its SyncStateSet *)

(* The controller's answer to a poll, or the reply to an Alter: a newer set for the same epoch. *)
LearnSyncStateSet(b) ==
  /\ broker[b].role = "Master"
  /\ broker[b].masterEpoch = controller.masterEpoch
  /\ controller.sssEpoch > broker[b].sssEpoch
  /\ broker' = [broker EXCEPT ![b].sss = controller.sss, ![b].sssEpoch = controller.sssEpoch, ![b].pending = {}]
  /\ disk' = [disk EXCEPT ![b].confirm = ConfirmWith(b, controller.sss, controller.sss, Connected(b), AcksOn(b))]
  /\ UNCHANGED <<controllerVars, replicationVars, messageVars, history, used>>

ForgetUnresolvedProposals(b) ==
  /\ PollResolvesProposals
  /\ broker[b].role = "Master"
  /\ broker[b].masterEpoch = controller.masterEpoch
  /\ broker[b].sssEpoch = controller.sssEpoch
  /\ broker[b].pending # {}
  /\ broker' = [broker EXCEPT ![b].pending = {}]
  /\ UNCHANGED <<controllerVars, disk, replicationVars, messageVars, history, used>>

AlterRequest(b, members) ==
  [type |-> "AlterSyncStateSet", from |-> b,
   masterEpoch |-> IF SentAtOnce THEN broker[b].masterEpoch ELSE 0,
   sssEpoch |-> IF SentAtOnce THEN broker[b].sssEpoch ELSE 0,
   members |-> members, sent |-> SentAtOnce, basis |-> broker[b].sssEpoch]

Propose(b, members, local) ==
  /\ requests' = StillPossible(requests \cup {AlterRequest(b, members)}, controller)
  /\ broker' = [broker EXCEPT ![b].pending = PendingWith(b, members), ![b].sss = local]
  /\ disk' = [disk EXCEPT ![b].confirm = ConfirmAtProposal(b)]
  /\ used' = [used EXCEPT !.alters = @ + 1]
  /\ UNCHANGED <<controllerVars, replicationVars, notices, history>>

(* A slave has caught up. *)
ProposeExpand(b, s) ==
  /\ used.alters < MaxAlters
  /\ broker[b].role = "Master"
  /\ connection[b][s].open
  /\ s \notin broker[b].sss
  /\ ExpandGuard(b, s)
  /\ Propose(b, broker[b].sss \cup {s}, broker[b].sss)

(* A member has not caught up for too long, or its connection is gone. *)
ProposeShrink(b, s) ==
  /\ used.alters < MaxAlters
  /\ broker[b].role = "Master"
  /\ s \in broker[b].sss \ {b}
  /\ Propose(b, broker[b].sss \ {s}, SetWhileShrinking(b, s))

(* Where proposals wait in a queue: the epochs that are valid now are put on it. *)
SendQueuedProposal(r) ==
  /\ ~r.sent
  /\ Up(r.from)
  /\ requests' = (requests \ {r}) \cup
       {[r EXCEPT !.sent = TRUE, !.masterEpoch = broker[r.from].masterEpoch, !.sssEpoch = broker[r.from].sssEpoch]}
  /\ UNCHANGED <<controllerVars, brokerVars, replicationVars, notices, history, used>>

-----------------------------------------------------------------------------
(* Producers and consumers *)

AppendPut(b) ==
  /\ used.puts < MaxPuts
  /\ MayAppend(b)
  /\ LET id    == used.puts + 1
         entry == [id |-> id, epoch |-> broker[b].masterEpoch]
     IN /\ disk' = [disk EXCEPT ![b] = [WithLog(@, Append(@.log, entry)) EXCEPT
                       !.residue = IF @ = <<>> THEN <<>> ELSE Tail(@)]]
        /\ broker' = [broker EXCEPT ![b].waiting = @ \cup {id}]
  /\ used' = [used EXCEPT !.puts = @ + 1]
  /\ UNCHANGED <<controllerVars, replicationVars, messageVars, history>>

(* The producer is told that its message is stored. If it never is, that is a time-out. *)
AcknowledgePut(b, id) ==
  /\ Up(b)
  /\ id \in broker[b].waiting \cap MessagesOn(b)
  /\ MayAcknowledge(b, OffsetOf(b, id))
  /\ broker' = [broker EXCEPT ![b].waiting = @ \ {id}]
  /\ history' = [history EXCEPT !.acked = @ \cup {id},
       !.thin = IF Cardinality({ c \in Broker : id \in MessagesOn(c) }) < MinInSyncReplicas THEN @ \cup {id} ELSE @]
  /\ UNCHANGED <<controllerVars, disk, replicationVars, messageVars, used>>

ConsumerReads(b) ==
  LET seen == IdsIn(Prefix(disk[b].log, DispatchLimit(b)))
  IN
  /\ used.reads < MaxReads
  /\ Up(b) /\ broker[b].role # "Fenced"
  /\ ~(seen \subseteq history.consumed)
  /\ history' = [history EXCEPT !.consumed = @ \cup seen]
  /\ used' = [used EXCEPT !.reads = @ + 1]
  /\ UNCHANGED <<controllerVars, brokerVars, replicationVars, messageVars>>

=============================================================================
