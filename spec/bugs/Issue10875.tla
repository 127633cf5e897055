------------------------------ MODULE Issue10875 ------------------------------
(* apache/rocketmq #8380 and #10875: the JRaft controller handed the scan the predicate "is not active" where it expected
   "is active". It found broker sets whose master lives and some slave does not, where the election only confirms the
   master, and never one whose master is dead. Repaired: the right predicate. *)
EXTENDS Progress

InactiveMasterIsFoundInverted ==
  controller.master \in controller.alive /\ controller.alive # Broker
==============================================================================
