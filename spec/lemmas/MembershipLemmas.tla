-------------------------- MODULE MembershipLemmas --------------------------
(***************************************************************************)
(* Why no message waits for ever (EventuallyAcknowledged), for any number  *)
(* of brokers and messages, with allAck. A solver is asked about single    *)
(* states and steps. What is made of the answers, of a master b that leads *)
(* from some state on, with a producer that waits for ever:                *)
(*                                                                         *)
(*  1. BudgetsRunOut: from some state on there are no faults, no puts and  *)
(*     no proposals from a budget any more, Calm.                          *)
(*  2. EpochsOnlyRise: then no broker ends, and each stays in its epoch at *)
(*     last. FollowersSettle: who is connected, and what was acknowledged, *)
(*     is the same from then on. So it is the same who is Behind. And the  *)
(*     controller sees each broker as it is: WhoIsHeardStaysHeard, with    *)
(*     HeardIsReached and HeardCanBeReached of ProgressLemmas.             *)
(*  3. Then it is in one of five stages (WaitingIsInAStage), and no step   *)
(*     leads back (StagesLeadOn): Answerable, Doubt, Removal, News and     *)
(*     Clear. From News learning leads to Clear (LearningClears,           *)
(*     NewerSetCanBeLearned).                                              *)
(*     Doubt and Removal are left when a request is stored. The master     *)
(*     knows the set, or learns it; then the request can be asked for      *)
(*     (WhoIsBehindCanBeRemoved, DoubtCanBeEnded), is under way            *)
(*     (...IsUnderWay), and can be stored (...CanBeStored, as              *)
(*     WhoFollowsIsAlive); it may be lost, and is asked for again. So some *)
(*     request is stored again and again (strong fairness). Doubt is left  *)
(*     at the first (StoredIsNews); and in Removal each one after the first*)
(*     takes somebody in, or all out who are behind                        *)
(*     (RequestsArePurposeful, RemovalsRunOut).                            *)
(*  4. Where no stage is left any more it is Answerable or Clear, and the  *)
(*     producer can be told (WaitsForNobodyBehind): so it is.              *)
(*                                                                         *)
(* What is said of every state is Inv (InductiveInvariant), which the      *)
(* timers keep as well (TimersKeepInv), and Orderly.                       *)
(*                                                                         *)
(* For the fairness of Membership, which says nothing of a flush, nor of a *)
(* master that notices that a slave has left: so what is in the log is on  *)
(* the disk (MaxLosses = 0), and connections end on both sides at once     *)
(* (HalfOpen = FALSE). Unlimited, that numbers of sets are left, is no     *)
(* limit: each settled state has finitely many to come.                    *)
(***************************************************************************)
EXTENDS WholeInvariant, Membership

ASSUME Timers == MinInSyncReplicas <= 1 /\ MaxSets >= 0 /\ ~FineSteps /\ ~HalfOpen /\ MaxLosses = 0
ASSUME Budgets ==
  /\ MaxAlters >= 0 /\ MaxCrashes >= 0 /\ MaxLostDisks >= 0 /\ MaxExpiries >= 0 /\ MaxBreaks >= 0
  /\ MaxDesignations >= 0 /\ MaxFailOvers >= 0 /\ MaxCleans >= 0 /\ MaxReads >= 0

-----------------------------------------------------------------------------
(* What holds in every state *)

BudgetsAreKept ==
  /\ used.puts <= MaxPuts /\ used.alters <= MaxAlters /\ used.crashes <= MaxCrashes /\ used.losses <= MaxLosses
  /\ used.lostDisks <= MaxLostDisks /\ used.expiries <= MaxExpiries /\ used.breaks <= MaxBreaks
  /\ used.designations <= MaxDesignations /\ used.failOvers <= MaxFailOvers /\ used.cleans <= MaxCleans
  /\ used.reads <= MaxReads

(* A connection has both ends. *)
OpenIsLinked == \A m, s \in Broker : connection[m][s].open => link[s] = m

(* Who waits, waits at a master, for a message that it has. *)
WaitingIsOnLog ==
  \A b \in Broker : broker[b].waiting # {} => broker[b].role = "Master" /\ broker[b].waiting \subseteq MessagesOn(b)

(* In sets of brokers are brokers: a part of SetsAreOfBrokers. *)
MembersAreBrokers ==
  /\ controller.sss \subseteq Broker
  /\ \A b \in Broker : broker[b].sss \subseteq Broker /\ broker[b].pending \subseteq Broker
  /\ \A r \in requests : r.members \subseteq Broker

Orderly == BudgetsAreKept /\ OpenIsLinked /\ WaitingIsOnLog

Timer ==
  \/ \E r \in requests : RequestIsLost(r) \/ ControllerAcceptsAlter(r) \/ ControllerRejectsAlter(r)
  \/ \E b \in Broker : SyncStateSetIsChecked(b) \/ SyncStateSetIsRenewed(b)
  \/ \E b, s \in Broker : CaughtUpSlaveIsProposed(b, s)

\* What is said of every state holds at the start.
THEOREM OrderlyAtTheStart ==
  ASSUME Init PROVE Orderly

\* Every step keeps what is said of every state.
THEOREM OrderlyIsKept ==
  ASSUME Before:: Orderly, Known:: LinksAreToMasters /\ RolesAndEpochs /\ ConnectionsAreOfMasters /\ MembersAreBrokers,
         NextWithTimers
  PROVE  Orderly'

\* Timers keep the invariant, with a stored set that may be stored again.
THEOREM TimersKeepInv ==
  ASSUME Before:: Inv, Timer PROVE Inv'

-----------------------------------------------------------------------------
(* What runs out *)

BudgetsLeft ==
  (MaxPuts - used.puts) + (MaxAlters - used.alters) + (MaxCrashes - used.crashes) + (MaxLosses - used.losses)
  + (MaxLostDisks - used.lostDisks) + (MaxExpiries - used.expiries) + (MaxBreaks - used.breaks)
  + (MaxDesignations - used.designations) + (MaxFailOvers - used.failOvers) + (MaxCleans - used.cleans)
  + (MaxReads - used.reads)

\* What is left of the budgets is a number that no step raises, and every step with a budget lowers.
THEOREM BudgetsRunOut ==
  ASSUME EveryState:: Orderly /\ MembersAreBrokers, NextWithTimers
  PROVE  /\ BudgetsLeft' <= BudgetsLeft /\ BudgetsLeft >= 0
         /\ used' # used => BudgetsLeft' < BudgetsLeft

Calm == used' = used

\* While b leads and nothing has a budget, no epoch falls, none passes that of b, and no broker ends.
THEOREM EpochsOnlyRise ==
  ASSUME NEW b \in Broker, NEW s \in Broker, EveryState:: RolesAndEpochs /\ NoticesAreOld /\ MembersAreBrokers,
         Leading:: Leads(b), NextWithTimers, Quiet:: Calm, StillLeading:: Leads(b)'
  PROVE  /\ broker[s].masterEpoch <= broker'[s].masterEpoch /\ broker[s].masterEpoch <= broker[b].masterEpoch
         /\ broker'[b].masterEpoch = broker[b].masterEpoch
         /\ Up(s) => Up(s)'

Heard(s) == s \in controller.alive <=> Up(s)

\* Whom the controller sees as it is, it goes on to see so, unless it starts anew.
THEOREM WhoIsHeardStaysHeard ==
  ASSUME NEW s \in Broker, EveryState:: MembersAreBrokers, SeenBefore:: Heard(s), NextWithTimers, Quiet:: Calm,
         Same:: Up(s)' = Up(s)
  PROVE  Heard(s)'

(* How far s is from having all: connections are made, and acknowledge more and more. *)
Distance(b, s) ==
  IF link[s] = b THEN EndOfLog(b) - connection[b][s].ack ELSE EndOfLog(b) + 2

SameFollower(b, s) ==
  connection'[b][s].open = connection[b][s].open /\ connection'[b][s].ack = connection[b][s].ack

\* While s stays in its epoch, its distance is a number that no step raises, and news of s lower; the master's log stays.
THEOREM FollowersSettle ==
  ASSUME NEW b \in Broker, NEW s \in Broker, Other:: s # b,
         EveryState:: /\ RolesAndEpochs /\ NoticesAreOld /\ LinksAreToMasters /\ ConnectionsAreOfMasters /\ OpenIsLinked
                      /\ FlushedIsInLog /\ MembersAreBrokers,
         Leading:: Leads(b), NextWithTimers, Quiet:: Calm, StillLeading:: Leads(b)',
         SameEpoch:: broker'[s].masterEpoch = broker[s].masterEpoch
  PROVE  /\ Distance(b, s)' <= Distance(b, s) /\ Distance(b, s) >= 0
         /\ ~SameFollower(b, s) => Distance(b, s)' < Distance(b, s)
         /\ disk'[b].log = disk[b].log /\ disk'[b].flushed = disk[b].flushed

-----------------------------------------------------------------------------
(* The stages *)

Behind(b) == { s \in Broker \ {b} : FallenBehind(b, s) }

(* A step after everything has settled. *)
Settled(b) ==
  /\ Calm
  /\ Leads(b)'
  /\ disk'[b].log = disk[b].log /\ disk'[b].flushed = disk[b].flushed
  /\ \A s \in Broker : SameFollower(b, s)

Knows(b)        == broker[b].sssEpoch = controller.sssEpoch
Confirmed(b)    == ReadLimit(b) >= EndOfLog(b)
MemberBehind(b) == \E s \in Behind(b) : s \in controller.sss
AskedBehind(b)  == \E s \in Behind(b) : s \in Union(b)

Removal(b)    == MemberBehind(b)
News(b)       == ~MemberBehind(b) /\ ~Knows(b)
Doubt(b)      == ~MemberBehind(b) /\ Knows(b) /\ AskedBehind(b)
Clear(b)      == ~MemberBehind(b) /\ ~AskedBehind(b) /\ Confirmed(b)
Answerable(b) == ~MemberBehind(b) /\ Knows(b) /\ ~AskedBehind(b) /\ ~Confirmed(b)

KnownSets ==
  /\ MembersAreBrokers /\ SetNumbers /\ SetsAgree /\ RequestNumbers /\ SetsAreCovered /\ MasterIsMember
  /\ RequestsAreFromMasters

\* Somebody is behind and a member, or asked, or nobody.
THEOREM WaitingIsInAStage ==
  ASSUME NEW b \in Broker
  PROVE  Clear(b) \/ News(b) \/ Removal(b) \/ Doubt(b) \/ Answerable(b)

\* No settled step leads back.
THEOREM StagesLeadOn ==
  ASSUME NEW b \in Broker, EveryState:: KnownSets /\ FlushedIsInLog /\ ConnectionsAreOfMasters /\ LinksAreToMasters,
         Leading:: Leads(b), NextWithTimers, Quiet:: Settled(b)
  PROVE  /\ Clear(b) => Clear(b)'
         /\ News(b) => News(b)' \/ Clear(b)'
         /\ Removal(b) => Removal(b)' \/ News(b)' \/ Clear(b)'
         /\ Doubt(b) => Doubt(b)' \/ Removal(b)' \/ News(b)' \/ Clear(b)'

(* A request that can be stored takes in who is not a member, or nobody who is behind. *)
Purposeful(b) ==
  \A r \in requests : Acceptable(r) =>
    \/ \A s \in Behind(b) : s \notin r.members
    \/ controller.sss \subseteq r.members /\ r.members # controller.sss

\* Requests that can be stored go on to have a purpose, and have one when the number of the set has changed.
THEOREM RequestsArePurposeful ==
  ASSUME NEW b \in Broker, EveryState:: KnownSets, Leading:: Leads(b), NextWithTimers, Quiet:: Settled(b),
         Before:: Purposeful(b) \/ controller'.sssEpoch # controller.sssEpoch
  PROVE  Purposeful(b)'

\* Each request that is stored while a member is behind, and leaves one, takes somebody in.
THEOREM RemovalsRunOut ==
  ASSUME NEW b \in Broker, EveryState:: KnownSets, Leading:: Leads(b), Stage:: Removal(b),
         Purpose:: Purposeful(b), NextWithTimers, Quiet:: Settled(b), StillStage:: Removal(b)'
  PROVE  \/ controller'.sssEpoch = controller.sssEpoch /\ controller'.sss = controller.sss
         \/ Cardinality(Broker \ controller'.sss) < Cardinality(Broker \ controller.sss)

\* What is stored is news to the master, so that Doubt is left, and what it knows it knows until then.
THEOREM StoredIsNews ==
  ASSUME NEW b \in Broker, EveryState:: KnownSets, Leading:: Leads(b), NextWithTimers, Quiet:: Settled(b)
  PROVE  /\ SomeAlterIsAccepted => ~Knows(b)'
         /\ Knows(b) => Knows(b)' \/ controller'.sssEpoch > controller.sssEpoch

\* Who learns knows, and where no member is behind it learns that all have everything.
THEOREM LearningClears ==
  ASSUME NEW b \in Broker, EveryState:: KnownSets /\ FlushedIsInLog, Leading:: Leads(b), LearnSyncStateSet(b),
         Quiet:: Settled(b)
  PROVE  Knows(b)' /\ (News(b) => Clear(b)')

\* Who is not behind is connected and runs, so the controller takes it for alive.
THEOREM WhoFollowsIsAlive ==
  ASSUME NEW b \in Broker, NEW s \in Broker, EveryState:: LinksAreToMasters /\ OpenIsLinked, Leading:: Leads(b),
         Seen:: Heard(s) /\ Heard(b), NotBehind:: s \notin Behind(b)
  PROVE  s \in controller.alive

-----------------------------------------------------------------------------
(* What can be done *)

Has(b, s, offset) == connection[b][s].open /\ connection[b][s].ack >= offset

(* A message of a master that leads, whose producer waits. *)
Waits(b, id) == Leads(b) /\ id \in broker[b].waiting /\ id \in MessagesOn(b)

(* The master has heard of the newest set, and numbers of the set are left. *)
UpToDate(b) == broker[b].sssEpoch = controller.sssEpoch /\ broker[b].sssEpoch < MaxSets

(* Master and controller speak of the same set, which has the master. *)
SameSet(b) ==
  /\ broker[b].sssEpoch = controller.sssEpoch /\ broker[b].sss = controller.sss
  /\ b \in controller.sss /\ controller.sss \subseteq Broker

Under(b, members) == AlterRequest(b, members) \in requests
BehindOf(b) == { s \in broker[b].sss \ {b} : FallenBehind(b, s) }

-----------------------------------------------------------------------------

\* A master that hears of a newer set can learn it.
THEOREM NewerSetCanBeLearned ==
  ASSUME NEW b \in Broker, Leading:: Leads(b), Newer:: broker[b].sssEpoch < controller.sssEpoch
  PROVE  ENABLED <<LearnSyncStateSet(b)>>_vars

\* As long as a member has not acknowledged a message that waits, the master can propose a set without it, or has done so.
THEOREM WhoKeepsItWaitingCanBeRemoved ==
  ASSUME NEW b \in Broker, NEW s \in Broker, NEW id \in Nat, EveryState:: MembersAreBrokers,
         Waiting:: Waits(b, id), Heard:: UpToDate(b), IsMember:: s \in broker[b].sss \ {b},
         HasNot:: ~Has(b, s, OffsetOf(b, id))
  PROVE  Under(b, broker[b].sss \ BehindOf(b)) \/ ENABLED <<SyncStateSetIsChecked(b)>>_vars

\* As long as a member is behind, the master can propose a set without it, or has done so.
THEOREM WhoIsBehindCanBeRemoved ==
  ASSUME NEW b \in Broker, EveryState:: KnownSets, Leading:: Leads(b), Stage:: Removal(b), Heard:: UpToDate(b)
  PROVE  Under(b, broker[b].sss \ BehindOf(b)) \/ ENABLED <<SyncStateSetIsChecked(b)>>_vars

\* Who checks has then asked for such a set.
THEOREM RemovalIsUnderWay ==
  ASSUME NEW b \in Broker, EveryState:: MembersAreBrokers, Heard:: UpToDate(b), SyncStateSetIsChecked(b)
  PROVE  Under(b, broker[b].sss \ BehindOf(b))'

\* The controller can store such a set without those who are behind, if who is left is alive.
THEOREM RemovalCanBeStored ==
  ASSUME NEW b \in Broker, Leading:: Leads(b), Same:: SameSet(b),
         Alive:: broker[b].sss \ BehindOf(b) \subseteq controller.alive
  PROVE  ENABLED <<ControllerAcceptsAlter(AlterRequest(b, broker[b].sss \ BehindOf(b)))>>_vars

\* As long as a proposed slave has not acknowledged a message that waits, and all members have everything, the stored set can be proposed again, or is.
THEOREM ProposalInDoubtCanBeEnded ==
  ASSUME NEW b \in Broker, NEW s \in Broker, NEW id \in Nat, EveryState:: MembersAreBrokers, Waiting:: Waits(b, id),
         Heard:: UpToDate(b), NobodyBehind:: BehindOf(b) = {},
         IsProposed:: s \in broker[b].pending \ broker[b].sss, HasNot:: ~Has(b, s, OffsetOf(b, id))
  PROVE  Under(b, broker[b].sss) \/ ENABLED <<SyncStateSetIsRenewed(b)>>_vars

\* As long as somebody is behind who is proposed, and no member is, the stored set can be proposed again, or is.
THEOREM DoubtCanBeEnded ==
  ASSUME NEW b \in Broker, EveryState:: KnownSets, Leading:: Leads(b), Stage:: Doubt(b), Heard:: UpToDate(b)
  PROVE  Under(b, broker[b].sss) \/ ENABLED <<SyncStateSetIsRenewed(b)>>_vars

\* Who renews has then asked for it.
THEOREM RenewalIsUnderWay ==
  ASSUME NEW b \in Broker, EveryState:: MembersAreBrokers, Heard:: UpToDate(b), SyncStateSetIsRenewed(b)
  PROVE  Under(b, broker[b].sss)'

\* The controller can store the stored set again.
THEOREM RenewalCanBeStored ==
  ASSUME NEW b \in Broker, Leading:: Leads(b), Same:: SameSet(b), Alive:: broker[b].sss \subseteq controller.alive
  PROVE  ENABLED <<ControllerAcceptsAlter(AlterRequest(b, broker[b].sss))>>_vars

\* Where all who are asked have acknowledged a message that waits, its producer can be told.
THEOREM WhatAllHaveCanBeAnswered ==
  ASSUME NEW b \in Broker, NEW id \in Nat, Waiting:: Waits(b, id),
         Asked:: b \in Union(b) /\ Union(b) \subseteq Broker,
         AllHave:: \A s \in Union(b) \ {b} : Has(b, s, OffsetOf(b, id)), Flushed:: disk[b].flushed >= OffsetOf(b, id)
  PROVE  ENABLED <<AcknowledgePut(b, id)>>_vars

\* Where nobody who is asked is behind, the producer of a message that waits can be told.
THEOREM WaitsForNobodyBehind ==
  ASSUME NEW b \in Broker, NEW id \in Nat, EveryState:: MastersAreInTheirSets /\ MembersAreBrokers /\ FlushedIsInLog,
         Waiting:: Waits(b, id), Stage:: ~AskedBehind(b)
  PROVE  ENABLED <<AcknowledgePut(b, id)>>_vars

\* Who has everything is not removed.
THEOREM WhoHasAllIsNotBehind ==
  ASSUME NEW b \in Broker, NEW s \in Broker, HasAll:: Has(b, s, EndOfLog(b))
  PROVE  ~FallenBehind(b, s)

\* A slave that has everything can be proposed, or is.
THEOREM WhoHasAllCanBeProposed ==
  ASSUME NEW b \in Broker, NEW s \in Broker, Leading:: Leads(b), HasAll:: Has(b, s, EndOfLog(b)),
         NotIn:: s \notin broker[b].sss \cup Learners, Heard:: UpToDate(b),
         Covered:: ReadLimit(b) <= EndOfLog(b) /\ LastStart(disk[b].epochFile) <= EndOfLog(b)
  PROVE  Under(b, broker[b].sss \cup {s}) \/ ENABLED CaughtUpSlaveIsProposed(b, s)

\* The controller can store a set with one slave more, if all are alive.
THEOREM ExpansionCanBeStored ==
  ASSUME NEW b \in Broker, NEW s \in Broker, Leading:: Leads(b), Same:: SameSet(b),
         Alive:: broker[b].sss \cup {s} \subseteq controller.alive
  PROVE  ENABLED <<ControllerAcceptsAlter(AlterRequest(b, broker[b].sss \cup {s}))>>_vars

=============================================================================
