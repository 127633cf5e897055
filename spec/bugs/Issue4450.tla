------------------------------ MODULE Issue4450 ------------------------------
(* apache/rocketmq #4450: all members of the SyncStateSet were given up, so the controller stored "no master". When their
   heartbeats came back they went on polling, learned that there is no master, and did not ask for one. Fixed
   (5eaeeabf51): a broker that learns of an epoch without a master requests an election. *)
EXTENDS Progress

NobodyRequestsElection(b, new) == FALSE
==============================================================================
