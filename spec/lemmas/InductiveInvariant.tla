------------------------- MODULE InductiveInvariant -------------------------
(***************************************************************************)
(* One conjunction that every step keeps, for every number of messages,    *)
(* epochs and faults: the reason why there is one master per epoch, why    *)
(* logs match and why nothing acknowledged is lost. Rules as repaired,     *)
(* allAck, clean elections only. What is open is listed in docs/proofs.md. *)
(***************************************************************************)
EXTENDS HeldGoals

\* The invariant holds at the start.
THEOREM InvHoldsInitially ==
  ASSUME Init PROVE Inv

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM InvMakesPointsSound ==
  ASSUME Before:: Inv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM FollowersAreLabelled ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Who reigns, reigns alone.
THEOREM WhoReignsIsAlone ==
  ASSUME Roles:: RolesAndEpochs, Agree:: BrokersAgree, Last:: ReigningIsLast
  PROVE  OnlyOneReigns

\* What all whom a master counts on have can be read on it.
THEOREM WhatAllHaveIsRead ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, OwnSets:: MastersAreInTheirSets,
         Confirmed:: ConfirmFollowsAcks
  PROVE  OwnAreReadable

\* What all have whom a deposed master counts on lies below the epoch of the one who reigns, and is on it.
THEOREM WhatAllHaveIsOld ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, Flushed:: FlushedIsInLog, HeldBack:: DeposedAreHeldBack
  PROVE  OthersAreBelowStart

\* What all have whom some master counts on can be read on the one who reigns, or lies below its epoch.
\* USES WhoReignsIsAlone WhatAllHaveIsRead WhatAllHaveIsOld
THEOREM WhatAllHaveCanBeRead ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, Roles:: RolesAndEpochs, Agree:: BrokersAgree,
         OwnSets:: MastersAreInTheirSets, Last:: ReigningIsLast, Flushed:: FlushedIsInLog,
         Confirmed:: ConfirmFollowsAcks, HeldBack:: DeposedAreHeldBack
  PROVE  HeldAreReadable

\* Every step keeps the invariant.
\* USES InvMakesPointsSound FollowersAreLabelled IN SlaveConnectsAndTruncates SlaveAppendsBatch
\* USES WhatAllHaveCanBeRead IN AcknowledgePut
THEOREM InvIsInductive ==
  ASSUME Before:: Inv, Next PROVE Inv'

\* No two brokers act as masters of one epoch.
THEOREM InvImpliesOneMasterPerEpoch ==
  ASSUME Holds:: Inv PROVE OneMasterPerEpoch

\* Where two logs have the same epoch at a position, they are the same up to it.
THEOREM InvImpliesLogMatching ==
  ASSUME Holds:: Inv PROVE LogMatching

\* What was acknowledged is on every broker that can be elected.
THEOREM InvImpliesAckedDurability ==
  ASSUME Holds:: Inv PROVE AckedDurability

=============================================================================
