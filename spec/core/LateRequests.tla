----------------------------- MODULE LateRequests -----------------------------
(***************************************************************************)
(* Requests for an election that the controller executes long after their  *)
(* sender gave up (F-34: they wait in DLedger's queue while the node is no *)
(* leader): by whom and whenever an election may have been asked for, it   *)
(* may be executed now, also for a broker that is down. AlterSyncStateSet  *)
(* requests never expire in ControllerMode itself; applications for an id  *)
(* do not in Registration.                                                 *)
(*                                                                         *)
(* Learned: an election that nobody waits for is one that the controller   *)
(* may hold by itself: the epoch it raises fences what was under way.      *)
(***************************************************************************)
EXTENDS ControllerMode

ElectionIsExecutedLate(b, new) ==
  /\ EpochsLeft
  /\ controller.master \notin controller.alive
  /\ new \in (IF controller.masterEpoch = 0 THEN FirstElected(b) ELSE Eligible(NoBroker))
  /\ ElectCode(b, new) = "SUCCESS"
  /\ EventIsRecorded(ElectMasterEvent(new), requests)
  /\ UNCHANGED <<disk, broker, link, connection, used>>
==============================================================================
