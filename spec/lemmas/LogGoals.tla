------------------------------ MODULE LogGoals ------------------------------
(***************************************************************************)
(* What the invariants say of logs, whatever is acknowledged, and what     *)
(* lemmas about them say of steps.                                         *)
(***************************************************************************)
EXTENDS LogInvariant

ASSUME Starts ==
  /\ FirstMaster = NoBroker \/ FirstMaster \in FirstSyncStateSet
  /\ FirstSyncStateSet \subseteq Broker /\ NoBroker \notin Broker
  /\ FirstMaster = NoBroker => FirstSyncStateSet = {}
  /\ MaxEpoch >= 1 /\ MaxPuts >= 0 /\ BatchSize >= 1

(* The configuration names values for the types; nothing is to be explored with it. *)
NotExplored == controller # controller

(* A broker that becomes master, or master anew, has nothing of a later epoch in its file. *)
LeadsNoOlderEpoch ==
  \A b \in Broker : broker'[b].master = b /\ broker'[b].masterEpoch # broker[b].masterEpoch
                      => LastEpoch(File(b)) <= broker'[b].masterEpoch

(* Where two logs meet: they agree up to the truncation point, and beyond it they have no epoch in common. *)
PointsAreSound ==
  \A s, m \in Broker : s # m /\ Up(s) /\ Up(m) =>
    LET point == TruncationPoint(s, m)
    IN /\ point \in 0..Len(Log(s)) /\ point <= Len(Log(m))
       /\ AgreeUpTo(s, m, point)
       /\ \A i \in DOMAIN Log(s) \cap DOMAIN Log(m) : Log(s)[i].epoch = Log(m)[i].epoch => i <= point

(* The first half of the inductive invariant, whatever is acknowledged. *)
LogInv ==
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

=============================================================================
