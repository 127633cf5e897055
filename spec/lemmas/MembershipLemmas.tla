-------------------------- MODULE MembershipLemmas --------------------------
(***************************************************************************)
(* A message that waits at a master is never stuck: as long as it waits,   *)
(* something that is fair can be done about whoever it waits for. These    *)
(* are obligations of EventuallyAcknowledged and EventuallyExpanded about  *)
(* single states, for any number of brokers and messages, with allAck.     *)
(*                                                                         *)
(* They are no proof of these properties: that what can be done is done    *)
(* often enough is not said.                                               *)
(***************************************************************************)
EXTENDS Membership

(* The configuration names values for the types; nothing is to be explored with it. *)
NotExplored == controller # controller

ASSUME Settings == AllAck /\ MinInSyncReplicas <= 1 /\ NoBroker \notin Broker /\ MaxSets >= 0

-----------------------------------------------------------------------------
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
  ASSUME NEW b \in Broker, NEW s \in Broker, NEW id \in Nat, Waiting:: Waits(b, id), Heard:: UpToDate(b),
         IsMember:: s \in broker[b].sss \ {b}, HasNot:: ~Has(b, s, OffsetOf(b, id))
  PROVE  Under(b, broker[b].sss \ BehindOf(b)) \/ ENABLED <<SyncStateSetIsChecked(b)>>_vars

\* The controller can store such a set without those who are behind, if who is left is alive.
THEOREM RemovalCanBeStored ==
  ASSUME NEW b \in Broker, Leading:: Leads(b), Same:: SameSet(b),
         Alive:: broker[b].sss \ BehindOf(b) \subseteq controller.alive
  PROVE  ENABLED <<ControllerAcceptsAlter(AlterRequest(b, broker[b].sss \ BehindOf(b)))>>_vars

\* As long as a proposed slave has not acknowledged a message that waits, and all members have everything, the stored set can be proposed again, or is.
THEOREM ProposalInDoubtCanBeEnded ==
  ASSUME NEW b \in Broker, NEW s \in Broker, NEW id \in Nat, Waiting:: Waits(b, id), Heard:: UpToDate(b),
         NobodyBehind:: BehindOf(b) = {}, IsProposed:: s \in broker[b].pending \ broker[b].sss,
         HasNot:: ~Has(b, s, OffsetOf(b, id))
  PROVE  Under(b, broker[b].sss) \/ ENABLED <<SyncStateSetIsRenewed(b)>>_vars

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
