--------------------------- MODULE UncleanInvariant ---------------------------
(***************************************************************************)
(* The invariant of logs that unclean elections leave, of which            *)
(* UncleanLemmas has the proofs.                                           *)
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

=============================================================================
