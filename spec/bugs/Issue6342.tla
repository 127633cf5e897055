------------------------------ MODULE Issue6342 ------------------------------
(* apache/rocketmq #6342: a master that restarts before the controller notices is told that it still is master. It
   took the number of the SyncStateSet from that answer but the set {self}, acknowledged alone, and the
   controller could still elect the other members. Fixed (#6352): take the set from the answer as well. (The
   repaired reading does more: the restarted master gets a new epoch, see InsufficientResume.) *)
(* CODE ReplicasManager.changeToMaster of 5.1.0 takes the number of the set, and the set {self}. *)
(* REPORT reported: #6342, fixed by #6352. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1. ReplicasManager.changeToMaster of both does it; that a controller of 5.0.0
   answers a restarted master so is inferred *)
EXTENDS ControllerMode

MayResumeOfIssue6342(b)                     == TRUE
SyncStateSetAtPromotionOfIssue6342(b, info) == {b}
=============================================================================
