------------------------- MODULE InductiveInvariant -------------------------
(***************************************************************************)
(* One conjunction that every step keeps, for every number of messages,    *)
(* epochs and faults: the reason why there is one master per epoch, why    *)
(* logs match and why nothing acknowledged is lost. Rules as repaired,     *)
(* allAck, clean elections only. What is open is listed in docs/proofs.md. *)
(***************************************************************************)
EXTENDS AckedInvariant

(* The configuration names values for the types; nothing is to be explored with it. *)
NotExplored == controller # controller

Inv ==
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
  /\ ElectedIsAlone
  /\ BelievedIsAlone
  /\ AnnouncedIsAlone
  /\ RequestsAreFromMasters
  /\ LogEpochsAreOld
  /\ FileEpochsAreOld
  /\ ElectedIsUnused
  /\ BelievedIsUnused
  /\ AnnouncedIsUnused
  /\ ElectedIsUnowned
  /\ BelievedIsUnowned
  /\ AnnouncedIsUnowned
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
  /\ SetNumbers
  /\ SetsAgree
  /\ RequestNumbers
  /\ MastersAreInTheirSets
  /\ NewMastersAreAlone
  /\ SetsAreCovered
  /\ ReigningIsLast
  /\ MembersFollow
  /\ ConnectedFollow
  /\ ConnectionsAreOfMasters
  /\ FlushedIsInLog
  /\ ConfirmIsInLog
  /\ AcksAreFlushed
  /\ ConfirmFollowsAcks
  /\ LabelledStartsAtEnd
  /\ IdsAreOld
  /\ IdsName
  /\ DeposedAreHeldBack
  /\ AckedAreFlushed
  /\ AckedAreAtSources
  /\ AckedAreReadable

-----------------------------------------------------------------------------
ASSUME Settings ==
  /\ AllAck /\ ~UncleanElection
  /\ FirstMaster = NoBroker \/ FirstMaster \in FirstSyncStateSet
  /\ FirstSyncStateSet \subseteq Broker /\ NoBroker \notin Broker
  /\ FirstMaster = NoBroker => FirstSyncStateSet = {}
  /\ MaxEpoch >= 1 /\ MaxPuts >= 0 /\ BatchSize >= 1

\* The invariant holds at the start.
THEOREM InvHoldsInitially ==
  ASSUME Init PROVE Inv

(* Where two logs meet: they agree up to the truncation point, and beyond it they have no epoch in common. *)
PointsAreSound ==
  \A s, m \in Broker : s # m /\ Up(s) /\ Up(m) =>
    LET point == TruncationPoint(s, m)
    IN /\ point \in 0..Len(Log(s)) /\ point <= Len(Log(m))
       /\ AgreeUpTo(s, m, point)
       /\ \A i \in DOMAIN Log(s) \cap DOMAIN Log(m) : Log(s)[i].epoch = Log(m)[i].epoch => i <= point

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM InvMakesPointsSound ==
  ASSUME Before:: Inv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM FollowersAreLabelled ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Every step keeps the invariant.
\* USES InvMakesPointsSound FollowersAreLabelled IN SlaveConnectsAndTruncates SlaveAppendsBatch
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
