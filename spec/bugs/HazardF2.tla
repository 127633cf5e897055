------------------------------ MODULE HazardF2 ------------------------------
(* Hazards F-1 and F-2: cleaning forgets the next id, so a new broker gets an id that lies on another broker's disk.
   Repaired: the counter survives the cleaning, and only the id at the counter is accepted. *)
(* CODE ReplicasInfoManager.handleCleanBrokerDataEvent drops a table while identity files stay on the brokers' disks;
   handleApplyBrokerId makes a BrokerReplicaInfo whose nextAssignBrokerId is 1 again; applyBrokerId accepts id 1 for
   an unknown broker set. *)
EXTENDS Registration

NextIdAfterCleanOfHazardF2         == 1
FirstIdAcceptedOfHazardF2(id)      == id = 1
UnassignedIdAcceptedOfHazardF2(id) == TRUE
=============================================================================
