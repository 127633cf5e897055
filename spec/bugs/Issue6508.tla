------------------------------ MODULE Issue6508 ------------------------------
(* apache/rocketmq #6508: a restarted master accepted messages before the controller had confirmed its role; they
   were acknowledged and cut when it became slave. Fixed (#6509): fenced until it is registered. *)
(* CODE BrokerController.start of 5.1.0 sets isIsolated, which only keeps the broker from the name servers;
   ReplicasManager.setFenced of 5.1.1 fences the store as well (RunningFlags.makeFenced). *)
(* REPORT reported: #6508, with this story in #6509, which fixes it: the old master is the one that clients still know. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS ControllerMode

RoleAfterRestartOfIssue6508(b) ==
  IF \E e \in 1..MaxEpoch : b \in history.owners[e]
  THEN [Blank("Master") EXCEPT !.master = b, !.masterEpoch = LastEpoch(disk[b].epochFile), !.sss = {b}]
  ELSE Blank("Fenced")
=============================================================================
