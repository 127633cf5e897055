----------------------------- MODULE Controller -----------------------------
(***************************************************************************)
(* Actions of the controller: liveness, elections, changes of the          *)
(* SyncStateSet, fail-over, cleaning.                                      *)
(***************************************************************************)
EXTENDS Rules

(* A request that can never be accepted any more is forgotten. *)
StillPossible(rs, c) == { r \in rs : ~r.sent \/ r.sssEpoch >= c.sssEpoch \/ NumberMayReturn }

-----------------------------------------------------------------------------
(* Heartbeats *)

HeartbeatArrives(b) ==
  /\ Up(b)
  /\ b \notin controller.alive
  /\ controller' = [controller EXCEPT !.alive = @ \cup {b}]
  /\ UNCHANGED <<events, brokerVars, replicationVars, messageVars, history, used>>

(* The controller gives a broker up: its process ended, or its heartbeats were lost. *)
HeartbeatExpires(b) ==
  /\ b \in controller.alive
  /\ ~Up(b) \/ used.expiries < MaxExpiries
  /\ controller' = [controller EXCEPT !.alive = @ \ {b}]
  /\ used' = IF Up(b) THEN [used EXCEPT !.expiries = @ + 1] ELSE used
  /\ UNCHANGED <<events, brokerVars, replicationVars, messageVars, history>>

(* A new controller leader knows the replicated state, but no heartbeats yet (DLedger). *)
ControllerFailsOver ==
  /\ used.failOvers < MaxFailOvers
  /\ controller.alive # {}
  /\ controller' = [controller EXCEPT !.alive = {}]
  /\ used' = [used EXCEPT !.failOvers = @ + 1]
  /\ UNCHANGED <<events, brokerVars, replicationVars, messageVars, history>>

-----------------------------------------------------------------------------
(* Elections. Which of several eligible brokers is taken depends on reported offsets; here any of them may be. *)

EligibleIn(members, prefer) ==
  LET living == members \cap controller.alive
  IN IF controller.master \in living /\ prefer \in {NoBroker, controller.master} THEN {controller.master}
     ELSE IF prefer # NoBroker THEN living \cap {prefer}
     ELSE living

Eligible(prefer) ==
  LET clean == EligibleIn(EligibleCleanly, prefer)
  IN IF clean # {} \/ ~UncleanElection THEN clean ELSE EligibleIn(EligibleUncleanly, prefer)

(* The response codes of ElectMaster, for a request by `requester` (NoBroker: the controller itself). *)
ElectCode(requester, new) ==
  CASE new # NoBroker /\ new = controller.master -> "MASTER_STILL_EXIST"
    [] new # NoBroker                            -> "SUCCESS"
    [] requester = NoBroker                      -> "MASTER_NOT_AVAILABLE"
    [] OTHER                                     -> "ELECT_MASTER_FAILED"

(* The events of the replicated log and the state after each. *)
ElectMasterEvent(new) ==
  [type |-> "ElectMaster", master |-> new,
   members |-> IF new = NoBroker THEN controller.sss ELSE SyncStateSetAfterElection(new),
   masterEpoch |-> controller.masterEpoch, basis |-> controller.sssEpoch]

AlterSyncStateSetEvent(r) ==
  [type |-> "AlterSyncStateSet", master |-> r.from, members |-> r.members, masterEpoch |-> r.masterEpoch,
   basis |-> r.basis]

StateAfter(e) ==
  CASE e.type = "AlterSyncStateSet" -> [controller EXCEPT !.sss = e.members, !.sssEpoch = @ + 1]
    [] e.master = NoBroker          -> [controller EXCEPT !.masterEpoch = @ + 1, !.master = NoBroker]
    [] OTHER                        -> [controller EXCEPT !.masterEpoch = @ + 1, !.master = e.master,
                                                          !.sss = e.members, !.sssEpoch = @ + 1]

HistoryAfter(e) ==
  IF e.type = "AlterSyncStateSet"
  THEN [history EXCEPT !.staleAlter = @ \/ e.basis # controller.sssEpoch,
                       !.foreignAlter = @ \/ e.master # controller.master \/ e.masterEpoch # controller.masterEpoch]
  ELSE [history EXCEPT !.electedOutside =
          @ \/ (e.master # NoBroker /\ controller.masterEpoch > 0 /\ ~UncleanElection
                /\ e.master \notin controller.sss)]

NoticesAfter(e) ==
  IF LateNotices /\ e.type = "ElectMaster" /\ e.master # NoBroker
  THEN notices \cup {[type |-> "NotifyBrokerRoleChanged", epoch |-> StateAfter(e).masterEpoch, master |-> e.master,
                      sss |-> e.members, sssEpoch |-> StateAfter(e).sssEpoch]}
  ELSE notices

EventIsApplied(e, rs) ==
  /\ controller' = StateAfter(e)
  /\ requests' = StillPossible(rs, StateAfter(e))
  /\ notices' = NoticesAfter(e)
  /\ history' = HistoryAfter(e)

(* A decision is applied at once, or put behind those that wait. `rs` are the requests that are left. *)
EventIsRecorded(e, rs) ==
  IF DecidedWhenApplied
  THEN EventIsApplied(e, rs) /\ UNCHANGED events
  ELSE /\ Len(events) < MaxEvents
       /\ events' = Append(events, e)
       /\ requests' = rs
       /\ UNCHANGED <<controller, notices, history>>

ControllerAppliesEvent ==
  /\ events # <<>>
  /\ EventIsApplied(Head(events), requests)
  /\ events' = Tail(events)
  /\ UNCHANGED <<brokerVars, replicationVars, used>>

EpochsLeft == controller.masterEpoch + Len(events) < MaxEpoch

(* A master that is not alive is replaced. *)
ControllerElectsMaster(new) ==
  /\ EpochsLeft
  /\ InactiveMasterIsFound
  /\ new \in Eligible(NoBroker)
  /\ ElectCode(NoBroker, new) = "SUCCESS"
  /\ EventIsRecorded(ElectMasterEvent(new), requests)
  /\ UNCHANGED <<brokerVars, replicationVars, used>>

(* Nobody can replace it: the set is kept, the epoch rises, there is no master. *)
ControllerFindsNoMaster ==
  /\ EpochsLeft
  /\ InactiveMasterIsFound
  /\ Eligible(NoBroker) = {}
  /\ ElectCode(NoBroker, NoBroker) = "MASTER_NOT_AVAILABLE"
  /\ EventIsRecorded(ElectMasterEvent(NoBroker), requests)
  /\ UNCHANGED <<brokerVars, replicationVars, used>>

(* A broker that knows no master asks for an election; the answer reaches it by its next poll. *)
BrokerRequestsElection(b, new) ==
  /\ EpochsLeft
  /\ Running(b)
  /\ controller.master = NoBroker
  /\ broker[b].role = "Fenced" \/ broker[b].masterEpoch < controller.masterEpoch
  /\ new \in (IF controller.masterEpoch = 0 THEN FirstElected(b) ELSE Eligible(NoBroker))
  /\ ElectCode(b, new) = "SUCCESS"
  /\ EventIsRecorded(ElectMasterEvent(new), requests)
  /\ UNCHANGED <<brokerVars, replicationVars, used>>

(* An administrator names the next master. *)
AdministratorDesignatesMaster(new) ==
  /\ used.designations < MaxDesignations
  /\ EpochsLeft
  /\ controller.masterEpoch > 0
  /\ new \in Eligible(new)
  /\ ElectCode(new, new) = "SUCCESS"
  /\ EventIsRecorded(ElectMasterEvent(new), requests)
  /\ used' = [used EXCEPT !.designations = @ + 1]
  /\ UNCHANGED <<brokerVars, replicationVars>>

-----------------------------------------------------------------------------
(* Changes of the SyncStateSet *)

ControllerAcceptsAlter(r) ==
  /\ r.sent
  /\ AlterCode(r) = "SUCCESS"
  /\ EventIsRecorded(AlterSyncStateSetEvent(r), requests \ {r})
  /\ UNCHANGED <<brokerVars, replicationVars, used>>

(* The broker learns nothing from a refusal, so the request merely disappears. *)
ControllerRejectsAlter(r) ==
  /\ ShowRejections
  /\ r.sent
  /\ AlterCode(r) # "SUCCESS"
  /\ requests' = requests \ {r}
  /\ UNCHANGED <<controllerVars, brokerVars, replicationVars, notices, history, used>>

-----------------------------------------------------------------------------
(* An administrator cleans the metadata of the whole broker set; the brokers register again. *)
MetadataIsCleaned ==
  /\ used.cleans < MaxCleans
  /\ MayBeCleaned
  /\ EpochAfterClean + Len(events) <= MaxEpoch
  /\ SssEpochAfterClean <= MaxSssEpoch
  /\ controller' = [controller EXCEPT !.masterEpoch = EpochAfterClean, !.master = MasterAfterClean,
                                      !.sss = SyncStateSetAfterClean,
                                      !.sssEpoch = SssEpochAfterClean]
  /\ used' = [used EXCEPT !.cleans = @ + 1]
  /\ UNCHANGED <<events, brokerVars, replicationVars, messageVars, history>>

=============================================================================
