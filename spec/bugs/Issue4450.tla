------------------------------ MODULE Issue4450 ------------------------------
(* apache/rocketmq #4450: all members of the SyncStateSet were given up, so the controller stored "no master". When their
   heartbeats came back they went on polling, learned that there is no master, and did not ask for one. Fixed
   (5eaeeabf51): a broker that learns of an epoch without a master requests an election. *)
(* CODE before 5eaeeabf51 ReplicasManager.schedulingSyncBrokerMetadata did nothing with an answer without a master. *)
(* REPORT inferred: from the change #4450, whose title says that a broker registers again when no master exists. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS Progress

NobodyRequestsElection(b, new) == FALSE
==============================================================================
