----------------------------- MODULE Controller -----------------------------
(***************************************************************************)
(* Actions of the controller: liveness, elections, changes of the          *)
(* SyncStateSet, fail-over, cleaning.                                      *)
(***************************************************************************)
EXTENDS Rules

(* A request that can never be accepted any more is forgotten. *)
StillPossible(rs, c) == { r \in rs : ~r.sent \/ r.sssEpoch >= c.sssEpoch }

-----------------------------------------------------------------------------
(* Heartbeats *)

HeartbeatArrives(b) ==
  /\ Up(b)
  /\ b \notin controller.alive
  /\ controller' = [controller EXCEPT !.alive = @ \cup {b}]
  /\ UNCHANGED <<disk, broker, link, connection, requests, notices, history, used>>

(* The controller gives a broker up: its process ended, or its heartbeats were lost. *)
HeartbeatExpires(b) ==
  /\ b \in controller.alive
  /\ ~Up(b) \/ used.expiries < MaxExpiries
  /\ controller' = [controller EXCEPT !.alive = @ \ {b}]
  /\ used' = IF Up(b) THEN [used EXCEPT !.expiries = @ + 1] ELSE used
  /\ UNCHANGED <<disk, broker, link, connection, requests, notices, history>>

(* A new controller leader knows the replicated state, but no heartbeats yet (DLedger). *)
ControllerFailsOver ==
  /\ used.failOvers < MaxFailOvers
  /\ controller.alive # {}
  /\ controller' = [controller EXCEPT !.alive = {}]
  /\ used' = [used EXCEPT !.failOvers = @ + 1]
  /\ UNCHANGED <<disk, broker, link, connection, requests, notices, history>>

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

(* The controller's state after the event that makes `new` master. *)
Elected(new) ==
  [controller EXCEPT !.masterEpoch = @ + 1, !.master = new, !.sss = SyncStateSetAfterElection(new),
                     !.sssEpoch = @ + 1]

ElectionIsRecorded(new) ==
  /\ controller' = Elected(new)
  /\ requests' = StillPossible(requests, Elected(new))
  /\ notices' = IF LateNotices
                THEN notices \cup {[type |-> "NotifyBrokerRoleChanged", epoch |-> Elected(new).masterEpoch,
                                    master |-> new, sss |-> Elected(new).sss, sssEpoch |-> Elected(new).sssEpoch]}
                ELSE notices
  /\ history' = [history EXCEPT !.electedOutside =
                   @ \/ (controller.masterEpoch > 0 /\ ~UncleanElection /\ new \notin controller.sss)]

(* A master that is not alive is replaced. *)
ControllerElectsMaster(new) ==
  /\ controller.masterEpoch < MaxEpoch
  /\ controller.master # NoBroker
  /\ controller.master \notin controller.alive
  /\ new \in Eligible(NoBroker)
  /\ ElectCode(NoBroker, new) = "SUCCESS"
  /\ ElectionIsRecorded(new)
  /\ UNCHANGED <<disk, broker, link, connection, used>>

(* Nobody can replace it: the set is kept, the epoch rises, there is no master. *)
ControllerFindsNoMaster ==
  /\ controller.masterEpoch < MaxEpoch
  /\ controller.master # NoBroker
  /\ controller.master \notin controller.alive
  /\ Eligible(NoBroker) = {}
  /\ ElectCode(NoBroker, NoBroker) = "MASTER_NOT_AVAILABLE"
  /\ controller' = [controller EXCEPT !.masterEpoch = @ + 1, !.master = NoBroker]
  /\ UNCHANGED <<disk, broker, link, connection, requests, notices, history, used>>

(* A broker that knows no master asks for an election; the answer reaches it by its next poll. *)
BrokerRequestsElection(b, new) ==
  /\ controller.masterEpoch < MaxEpoch
  /\ Running(b)
  /\ controller.master = NoBroker
  /\ broker[b].role = "Fenced" \/ broker[b].masterEpoch < controller.masterEpoch
  /\ new \in (IF controller.masterEpoch = 0 THEN FirstElected(b) ELSE Eligible(NoBroker))
  /\ ElectCode(b, new) = "SUCCESS"
  /\ ElectionIsRecorded(new)
  /\ UNCHANGED <<disk, broker, link, connection, used>>

(* An administrator names the next master. *)
AdministratorDesignatesMaster(new) ==
  /\ used.designations < MaxDesignations
  /\ controller.masterEpoch < MaxEpoch
  /\ controller.masterEpoch > 0
  /\ new \in Eligible(new)
  /\ ElectCode(new, new) = "SUCCESS"
  /\ ElectionIsRecorded(new)
  /\ used' = [used EXCEPT !.designations = @ + 1]
  /\ UNCHANGED <<disk, broker, link, connection>>

-----------------------------------------------------------------------------
(* Changes of the SyncStateSet *)

ControllerAppliesAlter(r) ==
  /\ r.sent
  /\ AlterCode(r) = "SUCCESS"
  /\ LET next == [controller EXCEPT !.sss = r.members, !.sssEpoch = @ + 1]
     IN /\ controller' = next
        /\ requests' = StillPossible(requests \ {r}, next)
  /\ history' = [history EXCEPT !.staleAlter = @ \/ r.basis # controller.sssEpoch,
                                !.foreignAlter = @ \/ r.from # controller.master \/ r.masterEpoch # controller.masterEpoch]
  /\ UNCHANGED <<disk, broker, link, connection, notices, used>>

(* The broker learns nothing from a refusal, so the request merely disappears. *)
ControllerRejectsAlter(r) ==
  /\ ShowRejections
  /\ r.sent
  /\ AlterCode(r) # "SUCCESS"
  /\ requests' = requests \ {r}
  /\ UNCHANGED <<controller, disk, broker, link, connection, notices, history, used>>

-----------------------------------------------------------------------------
(* An administrator cleans the metadata of the whole broker set; the brokers register again. *)
MetadataIsCleaned ==
  /\ used.cleans < MaxCleans
  /\ controller.master = NoBroker \/ controller.master \notin controller.alive
  /\ SssEpochAfterClean <= MaxSssEpoch
  /\ controller' = [controller EXCEPT !.masterEpoch = EpochAfterClean, !.master = MasterAfterClean, !.sss = {},
                                      !.sssEpoch = SssEpochAfterClean]
  /\ used' = [used EXCEPT !.cleans = @ + 1]
  /\ UNCHANGED <<disk, broker, link, connection, requests, notices, history>>

=============================================================================
