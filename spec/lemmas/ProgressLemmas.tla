--------------------------- MODULE ProgressLemmas ---------------------------
(***************************************************************************)
(* Why a member of the SyncStateSet that runs gets a master in the end     *)
(* (EventuallyMaster), for any number of brokers, messages, epochs and     *)
(* faults of every kind. A solver is asked about single states and steps.  *)
(* What is made of the answers:                                            *)
(*                                                                         *)
(*  1. FaultsRunOut: no step raises FaultsToCome, and a fault lowers it.   *)
(*     So from some state on there are only steps without a fault, Calm.   *)
(*     Which brokers run is the same from then on.                         *)
(*  2. A broker is Heard where the controller takes it for alive just when *)
(*     it runs. HeardStays, HeardIsReached, HeardCanBeReached: by weak     *)
(*     fairness of its heartbeat, or of the end of it, each is in the end, *)
(*     and as they are finitely many, all are.                             *)
(*  3. Then the state is in one of four stages (StagesCover): MasterIsGone,*)
(*     NoMaster, MasterIsElected, MasterServes. No step leads back         *)
(*     (...IsLeftForward); what is named as the stage's way out stays      *)
(*     possible as long as the stage lasts (...CanBeLeft), and leads out   *)
(*     (...IsLeft). So by weak fairness of that action the stage is left,  *)
(*     and MasterServes, which is never left, is reached: <>[]Leads.       *)
(*                                                                         *)
(* Unlimited, that epochs are left, is no limit: the epoch and             *)
(* ElectionsToCome together never rise (ElectionsHaveReasons), so where    *)
(* MaxEpoch is beyond their sum at the start no behaviour comes there.     *)
(* What is said of every state, Sound, is said at the start and kept by    *)
(* each step.                                                              *)
(*                                                                         *)
(* For the fairness of Progress, which says nothing of the middle of a     *)
(* promotion: so it takes one step here (FineSteps = FALSE).               *)
(***************************************************************************)
EXTENDS LogInvariant, Progress

(* The configuration names values for the types; nothing is to be explored with it. *)
NotExplored == controller # controller

-----------------------------------------------------------------------------
(* What holds in every state *)

NothingIsDecidedLater == events = <<>>

EpochIsNumber == controller.masterEpoch \in Nat

BudgetsAreKept ==
  /\ used.crashes <= MaxCrashes /\ used.losses <= MaxLosses /\ used.lostDisks <= MaxLostDisks
  /\ used.expiries <= MaxExpiries /\ used.failOvers <= MaxFailOvers
  /\ used.designations <= MaxDesignations /\ used.cleans <= MaxCleans

MasterIsBrokerOrNone == controller.master \in Broker \cup {NoBroker}

ControllerKnowsBrokers ==
  /\ controller.sss \subseteq Broker
  /\ controller.alive \subseteq Broker

RequestsAreSent == \A r \in requests : r.sent

LearnersAreOutside ==
  /\ controller.sss \cap Learners = {}
  /\ \A b \in Broker : broker[b].sss \cap Learners = {}
  /\ \A n \in notices : n.sss \cap Learners = {}
  /\ \A r \in requests : \A b \in Learners : b \notin r.members

(* Who heard of an epoch with a master has an older one than a controller without. *)
NoMasterIsNews ==
  controller.master = NoBroker =>
    /\ \A b \in Broker : ~Gone(b) => broker[b].masterEpoch < controller.masterEpoch
    /\ \A n \in notices : n.epoch < controller.masterEpoch

(* A promotion takes one step. *)
NobodyIsHalfPromoted == \A b \in Broker : broker[b].role \notin {"Promoting", "Labelled"}

Sound ==
  /\ NothingIsDecidedLater
  /\ EpochIsNumber
  /\ BudgetsAreKept
  /\ MasterIsBrokerOrNone
  /\ ControllerKnowsBrokers
  /\ MasterIsMember
  /\ RequestsAreSent
  /\ LearnersAreOutside
  /\ RolesAndEpochs
  /\ NoticesAreOld
  /\ ControllerAndBrokersAgree
  /\ NoticesAgreeWithController
  /\ NoMasterIsNews
  /\ NobodyIsHalfPromoted

(* What a configuration sets. *)
ASSUME Settings ==
  /\ ~FineSteps
  /\ NoBroker \notin Broker
  /\ FirstMaster = NoBroker \/ FirstMaster \in FirstSyncStateSet
  /\ FirstMaster = NoBroker => FirstSyncStateSet = {}
  /\ FirstSyncStateSet \subseteq Broker /\ FirstSyncStateSet \cap Learners = {}
  /\ MaxCrashes >= 0 /\ MaxLosses >= 0 /\ MaxLostDisks >= 0 /\ MaxExpiries >= 0
  /\ MaxFailOvers >= 0 /\ MaxDesignations >= 0 /\ MaxCleans >= 0

\* What is said of every state holds at the start.
THEOREM SoundAtTheStart ==
  ASSUME Init PROVE Sound

\* Every step keeps what is said of every state.
THEOREM SoundIsKept ==
  ASSUME Before:: Sound, Next PROVE Sound'

-----------------------------------------------------------------------------
(* Steps without a fault *)

(* Budgets of faults are left alone, and nobody restarts. Broken connections are not among them: nothing here depends on one. *)
Calm ==
  /\ \A b \in Broker : Up(b)' = Up(b)
  /\ used'.expiries = used.expiries
  /\ used'.failOvers = used.failOvers
  /\ used'.designations = used.designations
  /\ used'.cleans = used.cleans

CrashesToCome == (MaxCrashes - used.crashes) + (MaxLosses - used.losses)

(* A crash brings a restart with it. *)
FaultsToCome ==
  2 * CrashesToCome + Cardinality({ b \in Broker : broker[b].role = "Down" })
  + (MaxLostDisks - used.lostDisks) + (MaxExpiries - used.expiries) + (MaxFailOvers - used.failOvers)
  + (MaxDesignations - used.designations) + (MaxCleans - used.cleans)

\* No step raises the number of faults to come, which is natural, and every step that is a fault, or a restart, lowers it.
THEOREM FaultsRunOut ==
  ASSUME EveryState:: Sound, Next
  PROVE  /\ FaultsToCome' <= FaultsToCome /\ FaultsToCome >= 0
         /\ ~Calm => FaultsToCome' < FaultsToCome

(* How many elections the controller's state asks for by itself. *)
ElectionsOfNow ==
  IF controller.master = NoBroker THEN (IF controller.masterEpoch = 0 THEN 3 ELSE 1)
  ELSE IF controller.master \in controller.alive THEN 0 ELSE 2

(* And how many, at most, faults and restarts will be the reason of. *)
ElectionsToCome ==
  ElectionsOfNow
  + 2 * Cardinality({ b \in controller.alive : ~Up(b) })
  + Cardinality({ b \in Broker : broker[b].role = "Down" })
  + Cardinality({ b \in Broker : broker[b].role = "Fenced" })
  + 3 * CrashesToCome
  + 2 * ((MaxLostDisks - used.lostDisks) + (MaxExpiries - used.expiries) + (MaxFailOvers - used.failOvers))
  + (MaxDesignations - used.designations) + (MaxCleans - used.cleans)

\* Elections have reasons: epochs and the number of elections to come do not rise together.
THEOREM ElectionsHaveReasons ==
  ASSUME EveryState:: Sound, Next
  PROVE  /\ controller'.masterEpoch + ElectionsToCome' <= controller.masterEpoch + ElectionsToCome
         /\ ElectionsToCome >= 0

Heard(b) == b \in controller.alive <=> Up(b)
AllAreHeard == \A b \in Broker : Heard(b)

\* Whom the controller sees as it is, it goes on to see so.
THEOREM HeardStays ==
  ASSUME NEW b \in Broker, SeenBefore:: Heard(b), Next, NoFault:: Calm
  PROVE  Heard(b)'

HeardOf(b) == HeartbeatArrives(b) \/ (~Up(b) /\ HeartbeatExpires(b))

\* A heartbeat, or the end of those of a broker that does not run, makes it seen as it is.
THEOREM HeardIsReached ==
  ASSUME NEW b \in Broker, HeardOf(b)
  PROVE  Heard(b)'

\* A broker that runs and is not taken for alive can be heard, one that does not run and is taken for alive can expire.
THEOREM HeardCanBeReached ==
  ASSUME NEW b \in Broker, NotSeen:: ~Heard(b)
  PROVE  IF Up(b) THEN ENABLED <<HeartbeatArrives(b)>>_vars ELSE ENABLED <<~Up(b) /\ HeartbeatExpires(b)>>_vars

-----------------------------------------------------------------------------
(* The stages *)

Survives(b) == Up(b) /\ b \in controller.sss
SomebodySurvives == \E b \in Broker : Survives(b)

MasterIsGone    == controller.master \in Broker /\ ~Up(controller.master)
NoMaster        == controller.master = NoBroker
MasterIsElected == \E b \in Broker : controller.master = b /\ Up(b) /\ ~Leads(b)
MasterServes    == \E b \in Broker : Leads(b)

\* The master is gone, or there is none, or it is elected, or it serves.
THEOREM StagesCover ==
  ASSUME EveryState:: Sound
  PROVE  MasterIsGone \/ NoMaster \/ MasterIsElected \/ MasterServes

\* Who survives a dead master goes on to survive it, until another one is elected, who runs.
THEOREM MasterIsGoneIsLeftForward ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Seen:: AllAreHeard, Stage:: MasterIsGone /\ Survives(b),
         Next, NoFault:: Calm
  PROVE  (MasterIsGone /\ Survives(b))' \/ MasterIsElected' \/ MasterServes'

\* The election of a member that runs leads on.
THEOREM MasterIsGoneIsLeft ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Stage:: Survives(b), ControllerElectsMaster(b)
  PROVE  MasterIsElected' \/ MasterServes'

\* Where the master is gone, every member that runs can be elected.
THEOREM MasterIsGoneCanBeLeft ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Seen:: AllAreHeard, Stage:: MasterIsGone /\ Survives(b),
         Unlimited:: controller.masterEpoch < MaxEpoch
  PROVE  ENABLED <<ControllerElectsMaster(b)>>_vars

\* Without a master who survives goes on to survive, until somebody is elected who runs.
THEOREM NoMasterIsLeftForward ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Seen:: AllAreHeard, Stage:: NoMaster /\ Survives(b),
         Next, NoFault:: Calm
  PROVE  (NoMaster /\ Survives(b))' \/ MasterIsElected' \/ MasterServes'

\* The request of a member that runs for an election leads on.
THEOREM NoMasterIsLeft ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Stage:: Survives(b), BrokerRequestsElection(b, b)
  PROVE  MasterIsElected' \/ MasterServes'

\* Where there is no master, every member that runs can request its election.
THEOREM NoMasterCanBeLeft ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Seen:: AllAreHeard, Stage:: NoMaster /\ Survives(b),
         Unlimited:: controller.masterEpoch < MaxEpoch
  PROVE  ENABLED <<BrokerRequestsElection(b, b)>>_vars

Elected(b) == controller.master = b /\ Up(b) /\ ~Leads(b)
TakesOffice(b) == BecomeMaster(b) \/ RestartedBrokerIsElected(b)

\* Who is elected and runs stays elected until it serves, after a restart or not.
THEOREM MasterIsElectedIsLeftForward ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Seen:: AllAreHeard, Stage:: Elected(b), Next, NoFault:: Calm
  PROVE  (Elected(b)' /\ ((broker[b].role = "Fenced")' <=> broker[b].role = "Fenced")) \/ Leads(b)'

\* The promotion of who is elected, or after a restart its new election, makes it serve.
THEOREM MasterIsElectedIsLeft ==
  ASSUME NEW b \in Broker, EveryState:: Sound, TakesOffice(b)
  PROVE  Leads(b)'

\* Who is elected and runs can be promoted, or after a restart be elected anew.
THEOREM MasterIsElectedCanBeLeft ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Stage:: Elected(b), Unlimited:: controller.masterEpoch < MaxEpoch
  PROVE  IF broker[b].role = "Fenced" THEN ENABLED <<RestartedBrokerIsElected(b)>>_vars
                                      ELSE ENABLED <<BecomeMaster(b)>>_vars

\* A master that serves goes on to serve.
THEOREM MasterServesStays ==
  ASSUME NEW b \in Broker, EveryState:: Sound, Seen:: AllAreHeard, Stage:: Leads(b), Next, NoFault:: Calm
  PROVE  Leads(b)'

=============================================================================
