---------------------- MODULE CleaningKeepsDeadMaster -----------------------
(* Hazard F-3: cleaning takes the dead master out of the set but leaves it as master. Repaired: the cleaning takes the
   master away as well, and keeps the SyncStateSet. *)
(* CODE ReplicasInfoManager.handleCleanBrokerDataEvent: removeFromSyncState of the master's id leaves
   SyncStateInfo.masterBrokerId; getReplicaInfo then answers a master without an address, and
   ReplicasManager.schedulingSyncBrokerMetadata asks for no election while the epoch stays. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; handleCleanBrokerDataEvent changed in 5.1.1, but not in this; up to 5.1.0 getReplicaInfo
   answers the dead master's address *)
EXTENDS ControllerMode

MasterAfterCleanOfCleaningKeepsDeadMaster       == controller.master
SyncStateSetAfterCleanOfCleaningKeepsDeadMaster == controller.sss \ {controller.master}
=============================================================================
