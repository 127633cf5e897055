--------------------------- MODULE AllCopiesLemmas ---------------------------
(***************************************************************************)
(* What every replica has acknowledged is on every disk that is left,      *)
(* whoever is elected, in the SyncStateSet or not. For every number of     *)
(* messages, epochs, process crashes and lost disks. A master notices when *)
(* a connection ends (see bugs/AcksOutliveReign), and no broker becomes    *)
(* master of an epoch below the last one of its file: where notifications  *)
(* come at once none does (UncleanLemmas).                                 *)
(***************************************************************************)
EXTENDS UncleanInvariant, CopyGoals

ConnectionsAreLinks ==
  \A m, s \in Broker :
    /\ connection[m][s].open <=> link[s] = m
    /\ ~connection[m][s].open => connection[m][s].ack = -1
    /\ connection[m][s].ack <= Len(Log(s))

AllCopiesInv ==
  /\ UncleanInv
  /\ ConnectionsAreLinks
  /\ LossesAreCounted
  /\ IdsAreOld
  /\ IdsName
  /\ CopiesAreKept

ASSUME EndsAreNoticed == ~HalfOpen

-----------------------------------------------------------------------------
\* The invariant of what every replica has acknowledged holds at the start.
THEOREM AllCopiesInvHoldsInitially ==
  ASSUME Init PROVE AllCopiesInv

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM AllCopiesInvMakesPointsSound ==
  ASSUME Before:: AllCopiesInv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM CopiesHaveLabels ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Every step keeps it, if nobody becomes master of an epoch below the last one of its epoch file.
\* USES AllCopiesInvMakesPointsSound CopiesHaveLabels IN SlaveConnectsAndTruncates SlaveAppendsBatch
THEOREM AllCopiesInvIsInductive ==
  ASSUME Before:: AllCopiesInv, Next,
         OlderAreRefused:: LeadsNoOlderEpoch
  PROVE  AllCopiesInv'

\* No message that was acknowledged is lost while a broker has its disk, if none ever led an epoch below the last of its file.
THEOREM AllCopiesInvImpliesAcknowledgedIsKept ==
  ASSUME Holds:: AllCopiesInv, SomeDisk:: \E b \in Broker : HasDisk(b)
  PROVE  AcknowledgedIsKept

=============================================================================
