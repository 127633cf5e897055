----------------------------- MODULE Properties -----------------------------
(***************************************************************************)
(* What must hold. The sentence above each definition says what breaks for *)
(* a user when it fails; the checker prints it. The first group is meant   *)
(* for every setting, the second for allAckInSyncStateSet=true with clean  *)
(* elections.                                                              *)
(***************************************************************************)
EXTENDS Rules

(* The members of the controller's set that can come back: a lost disk takes the identity with it. *)
Electable == { b \in controller.sss : broker[b].role # "Lost" }

Leads(b) == broker[b].role = "Master" /\ controller.master = b /\ broker[b].masterEpoch = controller.masterEpoch

-----------------------------------------------------------------------------
(* The controller *)

\* A broker knows an epoch that the controller has forgotten, so it ignores every later election and an epoch number is used twice.
EpochMonotone ==
  \A b \in Broker : broker[b].masterEpoch <= controller.masterEpoch
                    /\ LastEpoch(disk[b].epochFile) <= controller.masterEpoch

\* Two brokers accept messages as masters of the same epoch, so the same offset of that epoch names two messages.
OneMasterPerEpoch == \A e \in 1..MaxEpoch : Cardinality(history.owners[e]) <= 1

\* The master is not in its own SyncStateSet, so a failover can elect from a set that misses the newest messages.
SSSContainsMaster == controller.master # NoBroker => controller.master \in controller.sss

\* Master and controller agree on the number of the SyncStateSet but not on its members, so messages are acknowledged without a broker that can be elected.
SSSAgreementPerEpoch ==
  \A b \in Broker : Leads(b) /\ broker[b].sssEpoch = controller.sssEpoch => broker[b].sss = controller.sss

\* A change of the SyncStateSet by a broker that is no longer master was stored, so a deposed master decides who can be elected.
FencedAlter == ~history.foreignAlter

\* A change of the SyncStateSet was computed before another one and stored after it, so a dead broker comes back into the set or a live one drops out of it.
SSSProposalMonotone == ~history.staleAlter

\* A broker outside the SyncStateSet was elected although unclean elections are off, so acknowledged messages are gone.
ElectedFromSSS == ~history.electedOutside

\* A learner became master or a member of the SyncStateSet, so a replica that was meant only to copy decides about the data.
LearnerNeverMaster == controller.master \notin Learners /\ controller.sss \cap Learners = {}

-----------------------------------------------------------------------------
(* The logs *)

\* Two brokers hold different messages before a position that they share, so consumers see another order after a failover and no truncation repairs it.
LogMatching ==
  \A a, b \in Broker :
    \A i \in 1..Smaller(EndOfLog(a), EndOfLog(b)) :
      disk[a].log[i].epoch = disk[b].log[i].epoch => Prefix(disk[a].log, i) = Prefix(disk[b].log, i)

\* A slave that finished its handshake holds messages that its master does not, so it acknowledges offsets of another history.
SlaveFollowsMaster ==
  \A s \in Broker :
    link[s] # NoBroker => /\ EndOfLog(s) <= EndOfLog(link[s])
                          /\ disk[s].log = Prefix(disk[link[s]].log, EndOfLog(s))

\* Two epoch files give one epoch two beginnings, so a slave cuts messages that it should keep or keeps messages that it should cut.
EpochFilesAgree ==
  \A a, b \in Broker :
    \A i \in DOMAIN disk[a].epochFile, j \in DOMAIN disk[b].epochFile :
      disk[a].epochFile[i].epoch = disk[b].epochFile[j].epoch
        => disk[a].epochFile[i].start = disk[b].epochFile[j].start

\* A message lies under the wrong epoch in the epoch file, so the truncation point that is computed from the file is wrong.
EpochFileLabelsLog ==
  \A b \in Broker : Up(b) /\ broker[b].role # "Promoting" =>
    \A i \in DOMAIN disk[b].log :
      LET k == IndexAt(disk[b].epochFile, i - 1)
      IN k # 0 /\ disk[b].epochFile[k].epoch = disk[b].log[i].epoch

\* The epoch file speaks about bytes that a restarted broker does not have, so it announces an offset beyond its log.
EpochFileCoversLog ==
  \A b \in Broker : /\ IsEpochFile(disk[b].epochFile)
                    /\ Up(b) => LastStart(disk[b].epochFile) <= EndOfLog(b)

\* The master counts bytes as copied that the slave does not have, so messages are acknowledged with too few copies.
AckNeverExceedsLog ==
  \A s \in Broker : link[s] # NoBroker => connection[link[s]][s].ack <= EndOfLog(s)

\* A broker lets consumers read beyond the end of its log, so they stall or read other messages later.
ConfirmLeLogEnd == \A b \in Broker : Up(b) => ReadLimit(b) <= EndOfLog(b)

-----------------------------------------------------------------------------
(* What producers and consumers were promised *)

\* A message that was acknowledged to its producer is missing on a broker that can be elected, so a failover loses it.
AckedDurability == \A b \in Electable : history.acked \subseteq MessagesOn(b)

\* A message was acknowledged with fewer copies than minInSyncReplicas, so the loss of one machine can lose it.
MinISRPromise == MinInSyncReplicas > 1 /\ history.acked # {} => history.thin = {}

\* A member of the SyncStateSet misses messages below the master's confirmOffset, so consumers can read what a failover takes back.
ConfirmedInAllSSS ==
  \A b \in Broker : Leads(b) =>
    \A c \in Electable : IdsIn(Prefix(disk[b].log, Smaller(ReadLimit(b), EndOfLog(b)))) \subseteq MessagesOn(c)

\* What consumers could read on a broker moves back while it keeps its role and epoch, so a consumer that reconnects is refused what it has seen.
ConfirmMonotone ==
  [][\A b \in Broker :
       /\ broker[b].role \in {"Master", "Slave"}
       /\ broker'[b].role = broker[b].role
       /\ broker'[b].masterEpoch = broker[b].masterEpoch
       => ReadLimit(b)' >= ReadLimit(b)]_vars

\* A message that a consumer has read is missing on a broker that can be elected, so other consumers never see it.
ConsumedStable == \A b \in Electable : history.consumed \subseteq MessagesOn(b)

=============================================================================
