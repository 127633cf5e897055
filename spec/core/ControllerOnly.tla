--------------------------- MODULE ControllerOnly ---------------------------
(***************************************************************************)
(* The controller alone: what `ReplicasInfoManager` answers to any request *)
(* of anybody. Brokers are arbitrary requesters here; they need not know   *)
(* what they say. The rules of an election, of an AlterSyncStateSet and of *)
(* what follows from them are those of Controller and Rules; what          *)
(* ControllerMode leaves out is here: brokerIds that are applied for, and  *)
(* cleanings of some brokers.                                              *)
(*                                                                         *)
(* A request that is refused is a step that changes nothing, and its       *)
(* response code is an argument. So an implementation that performs every  *)
(* edge answers every request with the code that the model has.            *)
(*                                                                         *)
(* It is read as shipped (5.1.1 to 5.5.1): the class knows no learners, it *)
(* elects whoever asks first, and a cleaning forgets all numbers. Left     *)
(* out: addresses, check codes and the next brokerId (Registration has     *)
(* them), and the report by which equal candidates are ranked (Elections). *)
(***************************************************************************)
EXTENDS Controller

CONSTANTS
  \* The broker whose brokerId is 1, the only one that can be applied for first.
  \* @type: BROKER;
  FirstId

VARIABLES
  \* Which of the two tables have the broker set: replicaInfoTable ("replicas"), syncStateSetInfoTable ("inSync").
  \* @type: Set(Str);
  tables,
  \* The brokerIds in replicaInfoTable.
  \* @type: Set(BROKER);
  registered

(* There is nobody else. *)
Elsewhere == <<events, disk, broker, link, connection, requests, notices, history, used>>
everything == <<controller, tables, registered, Elsewhere>>

Both == {"replicas", "inSync"}

(* RIM.isContainsBroker *)
Known == tables = Both

(* SyncStateInfo as it is made. *)
Forgotten == [controller EXCEPT !.masterEpoch = 0, !.master = NoBroker, !.sss = {}, !.sssEpoch = 0]

ControllerOnlyTypeOK ==
  /\ controller \in [masterEpoch : Epoch, master : Anyone, sss : Members, sssEpoch : SssEpoch, alive : Members]
  /\ tables \in SUBSET Both
  /\ registered \in Members

-----------------------------------------------------------------------------
(* The rules of Rules.tla as this class has them. *)

(* The policy is given the set, and with unclean elections all that are registered. *)
EligibleAmongMembers    == controller.sss
EligibleAmongRegistered == registered
FirstElectedWhoever(b)  == {b}

-----------------------------------------------------------------------------
(* Heartbeats *)

BrokerIsHeard(b) ==
  /\ b \notin controller.alive
  /\ controller' = [controller EXCEPT !.alive = @ \cup {b}]
  /\ UNCHANGED <<tables, registered, Elsewhere>>

BrokerIsSilent(b) ==
  /\ b \in controller.alive
  /\ controller' = [controller EXCEPT !.alive = @ \ {b}]
  /\ UNCHANGED <<tables, registered, Elsewhere>>

-----------------------------------------------------------------------------
(* AlterSyncStateSet *)

Alter(from, members, masterEpoch, sssEpoch) ==
  [type |-> "AlterSyncStateSet", from |-> from, masterEpoch |-> masterEpoch, sssEpoch |-> sssEpoch,
   members |-> members, sent |-> TRUE, basis |-> sssEpoch]

(* Of a member that is not registered and one that is not alive the first in the order of a HashSet is named. *)
CodeOfAlter(r) ==
  LET asked   == r.members # controller.sss /\ r.from = controller.master
                 /\ r.masterEpoch = controller.masterEpoch /\ r.sssEpoch = controller.sssEpoch
      unknown == r.members \ registered
      dead    == (r.members \cap registered) \ controller.alive
  IN CASE ~Known                                 -> "ALTER_SYNC_STATE_SET_FAILED"
       [] asked /\ unknown # {} /\ dead # {}     -> "INVALID_REPLICAS or BROKER_NOT_ALIVE"
       [] asked /\ unknown # {}                  -> "INVALID_REPLICAS"
       [] OTHER                                  -> AlterCode(r)

AlterCodes == {"ALTER_SYNC_STATE_SET_FAILED", "INVALID_MASTER", "FENCED_MASTER_EPOCH", "FENCED_SYNC_STATE_SET_EPOCH",
               "INVALID_REPLICAS", "BROKER_NOT_ALIVE", "INVALID_REPLICAS or BROKER_NOT_ALIVE"}

AlterIsStored(from, members, masterEpoch, sssEpoch) ==
  LET r == Alter(from, members, masterEpoch, sssEpoch) IN
  /\ controller.sssEpoch < MaxSssEpoch
  /\ CodeOfAlter(r) = "SUCCESS"
  /\ controller' = StateAfter(AlterSyncStateSetEvent(r))
  /\ UNCHANGED <<tables, registered, Elsewhere>>

AlterIsRefused(from, members, masterEpoch, sssEpoch, code) ==
  /\ code = CodeOfAlter(Alter(from, members, masterEpoch, sssEpoch))
  /\ UNCHANGED everything

-----------------------------------------------------------------------------
(* ElectMaster: by the controller itself (requester NoBroker), by a broker, by an administrator (designated). *)

Candidates(requester, designated) ==
  IF controller.masterEpoch = 0 /\ requester # NoBroker THEN FirstElected(requester)
  ELSE Eligible(IF designated THEN requester ELSE NoBroker)

CodeOfElection(requester, designated) ==
  LET found == Candidates(requester, designated)
  IN CASE ~Known                       -> "BROKER_NEED_TO_BE_REGISTERED"
       [] found = {}                   -> ElectCode(requester, NoBroker)
       [] controller.master \in found  -> ElectCode(requester, controller.master)
       [] OTHER                        -> "SUCCESS"

ElectionCodes == {"BROKER_NEED_TO_BE_REGISTERED", "MASTER_STILL_EXIST", "ELECT_MASTER_FAILED"}

NumbersLeft == EpochsLeft /\ controller.sssEpoch < MaxSssEpoch

MasterIsElected(requester, designated, new) ==
  /\ NumbersLeft
  /\ CodeOfElection(requester, designated) = "SUCCESS"
  /\ new \in Candidates(requester, designated)
  /\ controller' = StateAfter(ElectMasterEvent(new))
  /\ UNCHANGED <<tables, registered, Elsewhere>>

(* Asked by the controller itself the election is recorded, again and again (F-5). *)
NobodyIsElected ==
  /\ EpochsLeft
  /\ CodeOfElection(NoBroker, FALSE) = "MASTER_NOT_AVAILABLE"
  /\ controller' = StateAfter(ElectMasterEvent(NoBroker))
  /\ UNCHANGED <<tables, registered, Elsewhere>>

ElectionIsRefused(requester, designated, code) ==
  /\ code = CodeOfElection(requester, designated)
  /\ UNCHANGED everything

-----------------------------------------------------------------------------
(* CleanBrokerData: of the brokers `ids`, or of the whole set; `living`: isCleanLivingBroker *)

CodeOfCleaning(ids, living) ==
  CASE ~living /\ ids = {} /\ "inSync" \in tables /\ controller.master # NoBroker -> "INVALID_CLEAN_BROKER_METADATA"
    [] ~living /\ ids \cap controller.alive # {}                                 -> "INVALID_CLEAN_BROKER_METADATA"
    [] ~Known                                                                   -> "INVALID_CLEAN_BROKER_METADATA"
    [] OTHER                                                                    -> "SUCCESS"

(* With `living` the ids are not read (F-27). A table that has nobody left forgets the set; the other one may keep it, and
   the master is still named (F-3). *)
BrokersAreCleaned(ids, living) ==
  LET gone  == IF living \/ ids = {} THEN Broker ELSE ids
      whole == living \/ ids = {}
      left  == controller.sss \ gone
  IN
  /\ MaxCleans > 0
  /\ CodeOfCleaning(ids, living) = "SUCCESS"
  /\ registered' = registered \ gone
  /\ tables' = { t \in tables : ~whole /\ (t = "replicas" => registered \ gone # {}) /\ (t = "inSync" => left # {}) }
  /\ controller' = IF whole \/ left = {} THEN Forgotten ELSE [controller EXCEPT !.sss = left]
  /\ UNCHANGED Elsewhere

CleaningIsRefused(ids, living) ==
  /\ CodeOfCleaning(ids, living) # "SUCCESS"
  /\ UNCHANGED everything

-----------------------------------------------------------------------------
(* Registration; who applies for an id again has the same check code. *)

BrokerIdIsApplied(b) ==
  /\ "replicas" \in tables \/ b = FirstId
  /\ tables' = Both
  /\ registered' = IF Known THEN registered \cup {b} ELSE {b}
  /\ controller' = IF Known THEN controller ELSE Forgotten
  /\ UNCHANGED Elsewhere

BrokerIdIsRefused(b) ==
  /\ "replicas" \notin tables /\ b # FirstId
  /\ UNCHANGED everything

BrokerIsRegistered(b, code) ==
  /\ code = IF Known /\ b \in registered THEN "SUCCESS" ELSE "BROKER_NEED_TO_BE_REGISTERED"
  /\ UNCHANGED everything

ReplicaInfoIsAnswered(code) ==
  /\ code = IF Known THEN "SUCCESS" ELSE "BROKER_METADATA_NOT_EXIST"
  /\ UNCHANGED everything

-----------------------------------------------------------------------------
(* With FirstMaster = NoBroker the controller has never heard of the broker set. *)
ControllerOnlyInit ==
  LET started == FirstMaster # NoBroker
  IN /\ Init
     /\ tables = IF started THEN Both ELSE {}
     /\ registered = IF started THEN Broker ELSE {}

Requester == [asked : Anyone, designated : BOOLEAN] \ {[asked |-> NoBroker, designated |-> TRUE]}

Next ==
  \/ \E b \in Broker : BrokerIsHeard(b)
  \/ \E b \in Broker : BrokerIsSilent(b)
  \/ \E from \in Broker, members \in Members, e \in Epoch, n \in SssEpoch : AlterIsStored(from, members, e, n)
  \/ \E from \in Broker, members \in Members, e \in Epoch, n \in SssEpoch, code \in AlterCodes :
       AlterIsRefused(from, members, e, n, code)
  \/ \E r \in Requester, new \in Broker : MasterIsElected(r.asked, r.designated, new)
  \/ NobodyIsElected
  \/ \E r \in Requester, code \in ElectionCodes : ElectionIsRefused(r.asked, r.designated, code)
  \/ \E ids \in Members, living \in BOOLEAN : BrokersAreCleaned(ids, living)
  \/ \E ids \in Members, living \in BOOLEAN : CleaningIsRefused(ids, living)
  \/ \E b \in Broker : BrokerIdIsApplied(b)
  \/ \E b \in Broker : BrokerIdIsRefused(b)
  \/ \E b \in Broker, code \in {"SUCCESS", "BROKER_NEED_TO_BE_REGISTERED"} : BrokerIsRegistered(b, code)
  \/ \E code \in {"SUCCESS", "BROKER_METADATA_NOT_EXIST"} : ReplicaInfoIsAnswered(code)

Spec == ControllerOnlyInit /\ [][Next]_everything

-----------------------------------------------------------------------------
\* Nobody who is asked for the set can say who leads it: the master is not in it. Only cleanings break it (F-3).
MasterIsMember == controller.master # NoBroker => controller.master \in controller.sss

\* What a set without a table would answer is what a set that was never heard of answers.
UnknownIsForgotten == "inSync" \notin tables => controller = Forgotten

=============================================================================
