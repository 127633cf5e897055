----------------------------- MODULE Antecedents -----------------------------
(***************************************************************************)
(* When a property of Properties has something to say: a state in which it *)
(* could fail if the rule that it depends on were missing. A model in      *)
(* which there is no such state verifies nothing by that property.         *)
(*                                                                         *)
(* XIsIdle is an invariant of the models in which X is trivial, and of no  *)
(* others; tests/spec/test_antecedents.py names a model of two and one of  *)
(* three brokers for each in which it is false.                            *)
(***************************************************************************)
EXTENDS Properties

(* The logs of two brokers have both gone on after the last position that they share. *)
Diverged(a, b) ==
  \E i \in 1..Smaller(EndOfLog(a), EndOfLog(b)) : disk[a].log[i] # disk[b].log[i]

(* Not everybody would do as a master: a broker lacks one of these messages. *)
SomebodyLacks(messages) == \E b \in Broker : ~(messages \subseteq MessagesOn(b))

-----------------------------------------------------------------------------
(* The controller *)

\* An election has taken place, and a broker knows of it.
EpochMonotoneIsIdle == \A b \in Broker : broker[b].masterEpoch < 2

\* Two brokers want to be master, of different epochs.
OneMasterPerEpochIsIdle == Cardinality({ b \in Broker : broker[b].role = "Master" }) < 2

\* There is a master that was elected, in a set that changed.
SSSContainsMasterIsIdle == controller.master = NoBroker \/ controller.masterEpoch < 2 \/ controller.sssEpoch < 2

\* A master leads and knows a set that is not the first one.
SSSAgreementPerEpochIsIdle ==
  \A b \in Broker : ~(Leads(b) /\ broker[b].sssEpoch = controller.sssEpoch /\ broker[b].sssEpoch > 1)

\* A proposal is under way, and its sender is no longer master.
FencedAlterIsIdle == \A r \in requests : r.from = controller.master

\* Two proposals are under way: when one is stored the other one is stale (and forgotten at once where it is always refused).
SSSProposalMonotoneIsIdle == Cardinality(requests) < 2

\* There is no live master, and a living broker is outside the set.
ElectedFromSSSIsIdle == controller.master \in controller.alive \/ controller.alive \subseteq controller.sss

\* A learner has what the master has, and is connected to it.
LearnerNeverMasterIsIdle ==
  \A b \in Learners : link[b] = NoBroker \/ EndOfLog(b) = 0 \/ EndOfLog(b) < EndOfLog(link[b])

-----------------------------------------------------------------------------
(* The logs *)

\* Two logs hold different messages at the same position.
LogMatchingIsIdle == \A a, b \in Broker : ~Diverged(a, b)

\* A slave copies messages from a master that was elected.
SlaveFollowsMasterIsIdle ==
  \A s \in Broker : link[s] = NoBroker \/ EndOfLog(s) = 0 \/ broker[s].masterEpoch < 2

\* Two files know an epoch later than the first.
EpochFilesAgreeIsIdle ==
  \A a, b \in Broker : a # b =>
    \A i \in DOMAIN disk[a].epochFile, j \in DOMAIN disk[b].epochFile :
      disk[a].epochFile[i].epoch = disk[b].epochFile[j].epoch => disk[a].epochFile[i].epoch < 2

\* A log holds messages of two epochs.
EpochFileLabelsLogIsIdle ==
  \A b \in Broker : Cardinality({ disk[b].log[i].epoch : i \in DOMAIN disk[b].log }) < 2

\* An epoch file begins an epoch beyond the end of its log: the process is down.
EpochFileCoversLogIsIdle == \A b \in Broker : LastStart(disk[b].epochFile) <= EndOfLog(b)

\* A slave has acknowledged something, and its master has more.
AckNeverExceedsLogIsIdle ==
  \A s \in Broker : \/ link[s] = NoBroker
                    \/ connection[link[s]][s].ack < 1
                    \/ EndOfLog(link[s]) = connection[link[s]][s].ack

\* A broker has more than it lets consumers read.
ConfirmLeLogEndIsIdle == \A b \in Broker : Up(b) => ReadLimit(b) = EndOfLog(b)

-----------------------------------------------------------------------------
(* What producers and consumers were promised *)

\* A message was acknowledged, a broker lacks it, and there was an election.
AckedDurabilityIsIdle == controller.masterEpoch < 2 \/ ~SomebodyLacks(history.acked)

\* Copies are asked for, and a message was acknowledged.
MinISRPromiseIsIdle == MinInSyncReplicas < 2 \/ history.acked = {}

\* Consumers may read something of a master that leads, and the set has another member.
ConfirmedInAllSSSIsIdle ==
  \A b \in Broker : Leads(b) => ReadLimit(b) = 0 \/ Cardinality(Electable) < 2

\* A consumer has read a message, a broker lacks it, and there was an election.
ConsumedStableIsIdle == controller.masterEpoch < 2 \/ ~SomebodyLacks(history.consumed)

-----------------------------------------------------------------------------
(* Circumstances in which more than one property could fail *)

\* A machine has crashed after a message was acknowledged by a set that had grown.
GrownSetLosesIsIdle ==
  used.losses = 0 \/ history.acked = {} \/ controller.sssEpoch < 2 \/ Cardinality(controller.sss) < 2

=============================================================================
