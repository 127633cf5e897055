---------------------------- MODULE AllAckLemmas ----------------------------
(***************************************************************************)
(* The inductive invariant with flush and acknowledgement as RocketMQ      *)
(* documents them (core/Operations.tla) in place of the repaired rules: a  *)
(* slave reports what it has received, and minInSyncReplicas is asked      *)
(* before the append only. For allAck, clean elections and every           *)
(* flushDiskType, as long as no machine loses a tail: process crashes,     *)
(* lost heartbeats, broken and half-open connections, lost disks. For      *)
(* every number of messages, epochs and faults.                            *)
(***************************************************************************)
EXTENDS HeldGoals, Operations

ASSUME NoTailIsLost == MaxLosses = 0

LossesAreCounted == used.losses >= 0

AllAckInv == Inv /\ LossesAreCounted

-----------------------------------------------------------------------------
\* The invariant holds at the start, whatever is flushed.
THEOREM AllAckInvHoldsInitially ==
  ASSUME Init PROVE AllAckInv

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM AllAckInvMakesPointsSound ==
  ASSUME Before:: AllAckInv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM AllAckFollowersAreLabelled ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Who reigns, reigns alone.
THEOREM AllAckReignIsAlone ==
  ASSUME Roles:: RolesAndEpochs, Agree:: BrokersAgree, Last:: ReigningIsLast
  PROVE  OnlyOneReigns

\* What all whom a master counts on have can be read on it.
THEOREM AllAckOwnIsRead ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, OwnSets:: MastersAreInTheirSets,
         Flushed:: FlushedIsInLog, Confirmed:: ConfirmFollowsAcks
  PROVE  OwnAreReadable

\* What all have whom a deposed master counts on lies below the epoch of the one who reigns, and is on it.
THEOREM AllAckOthersAreOld ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, Flushed:: FlushedIsInLog, HeldBack:: DeposedAreHeldBack
  PROVE  OthersAreBelowStart

\* What all have whom some master counts on can be read on the one who reigns, or lies below its epoch.
\* USES AllAckReignIsAlone AllAckOwnIsRead AllAckOthersAreOld
THEOREM AllAckHeldIsReadable ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, Roles:: RolesAndEpochs, Agree:: BrokersAgree,
         OwnSets:: MastersAreInTheirSets, Last:: ReigningIsLast, Flushed:: FlushedIsInLog,
         Confirmed:: ConfirmFollowsAcks, HeldBack:: DeposedAreHeldBack
  PROVE  HeldAreReadable

\* Every step keeps it.
\* USES AllAckInvMakesPointsSound AllAckFollowersAreLabelled IN SlaveConnectsAndTruncates SlaveAppendsBatch
\* USES AllAckHeldIsReadable IN AcknowledgePut
THEOREM AllAckInvIsInductive ==
  ASSUME Before:: AllAckInv, Next PROVE AllAckInv'

\* No message that was acknowledged is lost while a broker that can be elected has its disk.
THEOREM AllAckInvImpliesAcknowledgedIsKept ==
  ASSUME Holds:: AllAckInv, SomeDisk:: \E b \in Broker : CanLead(b)
  PROVE  AcknowledgedIsKept

=============================================================================
