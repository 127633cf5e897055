-------------------------- MODULE CleanCopiesLemmas --------------------------
(***************************************************************************)
(* What every replica has acknowledged is on every disk that is left, with *)
(* clean elections only, and masters that may not notice for a while that  *)
(* a connection has ended. Whatever a deposed master still counts as a     *)
(* copy, one broker has not acknowledged it, and never will: the one that  *)
(* was elected after it, or one that has followed that.                    *)
(***************************************************************************)
EXTENDS CopyGoals

ConnectionsAreOpenOrBlank ==
  \A m, s \in Broker :
    /\ connection[m][s].open => broker[m].role = "Master" /\ m # s
    /\ ~connection[m][s].open => connection[m][s].ack = -1
    /\ connection[m][s].ack <= Len(Log(m))
    /\ link[s] = m => connection[m][s].open

AcksOfLinks == \A m, s \in Broker : link[s] = m => connection[m][s].ack <= Len(Log(s))

(* Whoever is connected to m has m for its master, or is of a later epoch, and hears of no other master before. *)
ConnectedAreLater ==
  \A m, s \in Broker : connection[m][s].open /\ ~Gone(s) =>
    /\ broker[s].master # m => broker[s].masterEpoch > broker[m].masterEpoch
    /\ \A n \in notices :
         n.epoch > broker[s].masterEpoch /\ n.epoch <= broker[m].masterEpoch => n.master = m

Has(s, m, o) == o <= Len(Log(s)) /\ Log(s)[o] = Log(m)[o]

(* One broker has not acknowledged o to m, and never will, since both are of different reigns. *)
NeverAcknowledges(h, m, o) ==
  /\ h # m
  /\ connection[m][h].ack < o
  /\ link[h] # m
  /\ Gone(h) \/ broker[h].masterEpoch > broker[m].masterEpoch

Withheld(m, o) ==
  /\ controller.masterEpoch > broker[m].masterEpoch
  /\ ~CanLead(m)
  /\ \E h \in Broker : NeverAcknowledges(h, m, o)

(* What a slave has acknowledged it has, or else somebody will never acknowledge it. *)
AcksAreKept ==
  \A m, s \in Broker : broker[m].role = "Master" /\ s # m /\ HasDisk(s) =>
    \A o \in DOMAIN Log(m) : o <= connection[m][s].ack => Has(s, m, o) \/ Withheld(m, o)

CleanCopiesInv ==
  /\ LogInv
  /\ SetNumbers
  /\ SetsAgree
  /\ RequestNumbers
  /\ MastersAreInTheirSets
  /\ NewMastersAreAlone
  /\ SetsAreCovered
  /\ ReigningIsLast
  /\ MembersFollow
  /\ ConnectedFollow
  /\ ConnectionsAreOpenOrBlank
  /\ AcksOfLinks
  /\ ConnectedAreLater
  /\ LossesAreCounted
  /\ IdsAreOld
  /\ IdsName
  /\ AcksAreKept
  /\ CopiesAreKept

ASSUME Settings == ~UncleanElection

-----------------------------------------------------------------------------
\* The invariant of what every replica has acknowledged holds at the start.
THEOREM CleanCopiesInvHoldsInitially ==
  ASSUME Init PROVE CleanCopiesInv

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM CleanCopiesInvMakesPointsSound ==
  ASSUME Before:: CleanCopiesInv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM CleanCopiesHaveLabels ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Every step keeps it, though connections may seem open that are not.
\* USES CleanCopiesInvMakesPointsSound CleanCopiesHaveLabels IN SlaveConnectsAndTruncates SlaveAppendsBatch
THEOREM CleanCopiesInvIsInductive ==
  ASSUME Before:: CleanCopiesInv, Next PROVE CleanCopiesInv'

\* No message that was acknowledged is lost while a broker has its disk.
THEOREM CleanCopiesInvImpliesAcknowledgedIsKept ==
  ASSUME Holds:: CleanCopiesInv, SomeDisk:: \E b \in Broker : HasDisk(b)
  PROVE  AcknowledgedIsKept

=============================================================================
