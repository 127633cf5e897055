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
EXTENDS LogGoals

(* Until b has recorded its epoch e nothing is of it, and nobody has acted in it. *)
New(b, e) ==
  ~Passed(b, e) =>
    /\ history.owners[e] = {}
    /\ \A a \in Broker : /\ \A i \in DOMAIN Log(a) : Log(a)[i].epoch # e
                         /\ \A i \in DOMAIN File(a) : File(a)[i].epoch # e
ElectedIsNew == \A a \in Broker : controller.master = a => New(a, controller.masterEpoch)
BelievedIsNew == \A a, b \in Broker : ~Gone(b) /\ broker[b].master = a => New(a, broker[b].masterEpoch)
AnnouncedIsNew == \A a \in Broker : \A n \in notices : n.master = a => New(a, n.epoch)

(* What a new master has is older than its epoch. *)
PromotedIsNewest ==
  \A b \in Broker : broker[b].role = "Promoting" =>
    \A i \in DOMAIN File(b) : File(b)[i].epoch < broker[b].masterEpoch

UncleanInv ==
  /\ ControllerNumbers
  /\ SetsAreOfBrokers
  /\ RolesAndEpochs
  /\ NoticesAreOld
  /\ OwnersAreOld
  /\ ControllerAndBrokersAgree
  /\ BrokersAgree
  /\ NoticesAgreeWithController
  /\ NoticesAgreeWithBrokers
  /\ NoticesAgree
  /\ OwnersAgree
  /\ OwnersHavePassed
  /\ MasterIsMember
  /\ RequestsAreFromMasters
  /\ LogEpochsAreOld
  /\ FileEpochsAreOld
  /\ ElectedIsNew
  /\ BelievedIsNew
  /\ AnnouncedIsNew
  /\ PromotedIsNewest
  /\ FilesRise
  /\ FilesStart
  /\ FilesAreCovered
  /\ FilesLabel
  /\ FilesAgree
  /\ BeginningsMatch
  /\ LogsMatch
  /\ MastersHaveTheirEpoch
  /\ MastersRecordedTheirEpoch
  /\ LinksAreToMasters
  /\ SlavesFollow
  /\ SlaveFilesFollow

ASSUME Settings ==
  /\ FirstMaster = NoBroker \/ FirstMaster \in FirstSyncStateSet
  /\ FirstSyncStateSet \subseteq Broker /\ NoBroker \notin Broker
  /\ FirstMaster = NoBroker => FirstSyncStateSet = {}
  /\ MaxEpoch >= 1 /\ MaxPuts >= 0 /\ BatchSize >= 1

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

\* No two brokers act as masters of one epoch.
THEOREM UncleanInvImpliesOneMasterPerEpoch ==
  ASSUME Holds:: UncleanInv PROVE OneMasterPerEpoch

\* Where two logs have the same epoch at a position, they are the same up to it.
THEOREM UncleanInvImpliesLogMatching ==
  ASSUME Holds:: UncleanInv PROVE LogMatching

=============================================================================
