---------------------------- MODULE UncleanLemmas ----------------------------
(***************************************************************************)
(* Unclean elections, too: there is one master per epoch, and logs match,  *)
(* if no broker becomes master of an epoch below the last one of its epoch *)
(* file. With clean elections only none is told to (LogLemmas);            *)
(* with unclean ones a notification that comes late makes a broker master  *)
(* of an epoch that is older than what it has copied since (hazard F-24).  *)
(* For all settings, and every number of messages, epochs and faults.      *)
(* Rules as repaired.                                                      *)
(***************************************************************************)
EXTENDS UncleanInvariant

-----------------------------------------------------------------------------
\* The invariant of logs under all settings holds at the start.
THEOREM UncleanInvHoldsInitially ==
  ASSUME Init PROVE UncleanInv

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM UncleanInvMakesPointsSound ==
  ASSUME Before:: UncleanInv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM FollowersHaveLabels ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Every step keeps it, if nobody becomes master of an epoch below the last one of its epoch file.
\* USES UncleanInvMakesPointsSound FollowersHaveLabels IN SlaveConnectsAndTruncates SlaveAppendsBatch
THEOREM UncleanInvIsInductive ==
  ASSUME Before:: UncleanInv, Next,
         OlderAreRefused:: LeadsNoOlderEpoch
  PROVE  UncleanInv'

\* Where notifications come at once none is ever on its way.
THEOREM NotificationsComeAtOnce ==
  ASSUME AtOnce:: ~LateNotices, Before:: notices = {}, Next PROVE notices' = {}

\* Nobody becomes master of an epoch below the last one of its epoch file while no notification is on its way.
THEOREM PromptElectionsLeadNoOlderEpoch ==
  ASSUME Before:: UncleanInv, NoneOnItsWay:: notices = {}, Next PROVE LeadsNoOlderEpoch

\* No two brokers act as masters of one epoch.
THEOREM UncleanInvImpliesOneMasterPerEpoch ==
  ASSUME Holds:: UncleanInv PROVE OneMasterPerEpoch

\* Where two logs have the same epoch at a position, they are the same up to it.
THEOREM UncleanInvImpliesLogMatching ==
  ASSUME Holds:: UncleanInv PROVE LogMatching

=============================================================================
