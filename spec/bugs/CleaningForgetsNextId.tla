----------------------- MODULE CleaningForgetsNextId ------------------------
(* Hazards F-1 and F-2: cleaning forgets the next id, so a new broker gets an id that lies on another broker's disk.
   Repaired: the counter survives the cleaning, and only the id at the counter is accepted. *)
(* CODE ReplicasInfoManager.handleCleanBrokerDataEvent drops a table while identity files stay on the brokers' disks;
   handleApplyBrokerId makes a BrokerReplicaInfo whose nextAssignBrokerId is 1 again; applyBrokerId accepts id 1 for
   an unknown broker set. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; handleCleanBrokerDataEvent changed in 5.1.1, but not in this; up to 5.1.0 an id lies on no
   disk, but BrokerInfo counts from 1 again while a broker that runs keeps its id *)
EXTENDS Registration

NextIdAfterCleanOfCleaningForgetsNextId         == 1
FirstIdAcceptedOfCleaningForgetsNextId(id)      == id = 1
UnassignedIdAcceptedOfCleaningForgetsNextId(id) == TRUE
=============================================================================
