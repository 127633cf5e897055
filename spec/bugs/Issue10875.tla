------------------------------ MODULE Issue10875 ------------------------------
(* apache/rocketmq #8380 and #10875: the JRaft controller handed the scan the predicate "is not active" where it expected
   "is active". It found broker sets whose master lives and some slave does not, where the election only confirms the
   master, and never one whose master is dead. Repaired: the right predicate. *)
(* CODE RaftReplicasInfoManager.checkNotActiveBroker hands scanNeedReelectBrokerSets a predicate that is the negation
   of isBrokerActive. *)
(* REPORT reported: #8380 (closed) and #10875; fixed by #10885. *)
(* RELEASES 5.2.0 to 5.5.0, with the JRaft controller; fixed in 5.5.1; before, there is no such controller *)
EXTENDS Progress

InactiveMasterIsFoundInverted ==
  controller.master \in controller.alive /\ controller.alive # Broker
==============================================================================
