--------------------------- MODULE RefusedRoleTaken ---------------------------
(* Hazard F-24: AutoSwitchHAService refuses a role of an epoch below the last one of its epoch file, and ReplicasManager
   takes the role all the same: no truncation, no entry for the new epoch. It needs a controller that gives out an epoch
   again, that is a cleaning of the metadata (F-1), or unclean elections and a notification that comes late. The new
   master's messages lie under a greater epoch than their own. Repaired: who is refused does not lead. *)
(* CODE AutoSwitchHAService.changeToMaster and changeToSlave return false for masterEpoch < epochCache.lastEpoch();
   ReplicasManager.changeToMaster and changeToSlave do not look at what they return (since e7bf51f4c2) and set role,
   brokerId and masterEpoch. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; ReplicasManager.changeToMaster changed in 5.1.1 and 5.2.0, but not in this *)
EXTENDS AsShipped

MayLead(b, e) == e > LastEpoch(disk[b].epochFile)

BecomeMasterUnlessRefused(b) ==
  /\ Running(b)
  /\ controller.master = b
  /\ controller.masterEpoch > broker[b].masterEpoch
  /\ broker[b].role = "Fenced" => MayResume(b)
  /\ MayLead(b, controller.masterEpoch)
  /\ TakeMastership(b, ReplicaInfo)
  /\ UNCHANGED <<controller, events, requests, notices, used>>

RestartedBrokerIsElectedUnlessRefused(b) ==
  /\ broker[b].role = "Fenced"
  /\ ~MayResume(b)
  /\ controller.masterEpoch < MaxEpoch
  /\ controller.master \in {b, NoBroker}
  /\ b \in (IF controller.masterEpoch = 0 THEN FirstElected(b) ELSE EligibleCleanly)
  /\ MayLead(b, controller.masterEpoch + 1)
  /\ LET next == [StateAfter(ElectMasterEvent(b)) EXCEPT !.alive = @ \cup {b}]
         info == [epoch |-> next.masterEpoch, master |-> b, sss |-> next.sss, sssEpoch |-> next.sssEpoch]
     IN /\ controller' = next
        /\ requests' = StillPossible(requests, next)
        /\ TakeMastership(b, info)
  /\ UNCHANGED <<events, notices, used>>

ReceiveNoticeUnlessRefused(b, n) ==
  /\ Running(b)
  /\ HeedsNotice(b)
  /\ n.epoch > broker[b].masterEpoch
  /\ n.epoch >= LastEpoch(disk[b].epochFile)
  /\ IF n.master = b THEN TakeMastership(b, n) ELSE TakeSlaveRole(b, n) /\ UNCHANGED history
  /\ UNCHANGED <<controller, events, requests, notices, used>>
==============================================================================
