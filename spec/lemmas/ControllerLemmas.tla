-------------------------- MODULE ControllerLemmas --------------------------
(***************************************************************************)
(* What every step of the protocol keeps, from any state whatever: for     *)
(* every number of messages, epochs and faults, and for all settings.      *)
(***************************************************************************)
EXTENDS AsDesigned, AsShipped

(* The configuration names values for the types; nothing is to be explored with it. *)
NotExplored == controller # controller

AlterRequests == [type : {"AlterSyncStateSet"}, from : Broker, masterEpoch : Nat, sssEpoch : Nat,
                  members : SUBSET Broker, sent : BOOLEAN, basis : Nat]

-----------------------------------------------------------------------------

\* The master epoch never falls, and rises whenever another broker becomes master: an epoch names one master.
THEOREM MasterEpochsRise ==
  ASSUME Next
  PROVE  /\ controller'.masterEpoch >= controller.masterEpoch
         /\ controller'.master \notin {NoBroker, controller.master}
              => controller'.masterEpoch > controller.masterEpoch

\* The number of the SyncStateSet never falls, and rises whenever its members change.
THEOREM SyncStateSetEpochsRise ==
  ASSUME Next
  PROVE  /\ controller'.sssEpoch >= controller.sssEpoch
         /\ controller'.sss # controller.sss => controller'.sssEpoch > controller.sssEpoch

\* As shipped, cleaning the metadata starts both numbers anew.
\* EXPECT refuted
THEOREM EpochsRiseAfterCleanAsShipped ==
  ASSUME NumbersBefore:: controller.masterEpoch >= 0 /\ controller.sssEpoch >= 0
  PROVE  EpochAfterCleanAsShipped >= controller.masterEpoch /\ SssEpochAfterCleanAsShipped >= controller.sssEpoch

\* A request for another set that does not come from the master, or carries another epoch or number of the set, is refused.
THEOREM StaleAlterIsRefused ==
  ASSUME NEW r \in AlterRequests,
         StaleOrForeign:: \/ r.from # controller.master
                          \/ r.masterEpoch # controller.masterEpoch
                          \/ r.sssEpoch # controller.sssEpoch
  PROVE  AlterCode(r) # "SUCCESS"

\* By the four checks of the design text a request of another master epoch is accepted, if nothing else gives it away.
\* EXPECT refuted
THEOREM StaleAlterIsRefusedAsDesigned ==
  ASSUME NEW r \in AlterRequests,
         StaleOrForeign:: \/ r.from # controller.master
                          \/ r.masterEpoch # controller.masterEpoch
                          \/ r.sssEpoch # controller.sssEpoch
  PROVE  AlterCodeAsDesigned(r) # "SUCCESS"

\* A stale or foreign request that reaches the controller changes nothing but that it is gone.
THEOREM StaleAlterChangesNothing ==
  ASSUME NEW r \in AlterRequests,
         Handled:: ControllerAcceptsAlter(r) \/ ControllerRejectsAlter(r),
         StaleOrForeign:: \/ r.from # controller.master
                          \/ r.masterEpoch # controller.masterEpoch
                          \/ r.sssEpoch # controller.sssEpoch
  PROVE  controller' = controller

\* The master is a member of the SyncStateSet after every step, if it was before.
THEOREM MasterStaysMember ==
  ASSUME MasterWasMember:: SSSContainsMaster, Next
  PROVE  SSSContainsMaster'

\* A set without its master is refused; the master proposes only sets with itself in them.
THEOREM AlterWithoutMasterIsRefused ==
  ASSUME NEW r \in AlterRequests,
         WithoutSender:: r.from \notin r.members
  PROVE  AlterCode(r) # "SUCCESS"

\* With clean elections only, a new master comes from the SyncStateSet.
THEOREM ElectedFromTheSet ==
  ASSUME CleanOnly:: ~UncleanElection, ElectedBefore:: controller.masterEpoch > 0, Next
  PROVE  controller'.master \in controller.sss \cup {controller.master, NoBroker}

=============================================================================
