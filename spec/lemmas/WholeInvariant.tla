--------------------------- MODULE WholeInvariant ---------------------------
(***************************************************************************)
(* The conjunction of which InductiveInvariant has the proofs, and under   *)
(* which settings.                                                         *)
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

(* Where two logs meet: they agree up to the truncation point, and beyond it they have no epoch in common. *)
PointsAreSound ==
  \A s, m \in Broker : s # m /\ Up(s) /\ Up(m) =>
    LET point == TruncationPoint(s, m)
    IN /\ point \in 0..Len(Log(s)) /\ point <= Len(Log(m))
       /\ AgreeUpTo(s, m, point)
       /\ \A i \in DOMAIN Log(s) \cap DOMAIN Log(m) : Log(s)[i].epoch = Log(m)[i].epoch => i <= point

=============================================================================
