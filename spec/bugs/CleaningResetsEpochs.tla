------------------------ MODULE CleaningResetsEpochs ------------------------
(* Hazard F-1: cleaning the metadata of a broker set resets the epochs, so an epoch is given out twice and brokers
   that know a greater one ignore every election. Repaired: the epochs survive the cleaning, which raises them. *)
(* CODE ReplicasInfoManager.cleanBrokerData, handleCleanBrokerDataEvent: with the last id the entry of
   syncStateSetInfoTable goes, and the next ApplyBrokerId makes a SyncStateInfo with masterEpoch 0
   (handleApplyBrokerId). ReplicasManager.schedulingSyncBrokerMetadata and changeToMaster obey only a greater epoch,
   so brokers that run ignore every election until the number has caught up. cleanBrokerData refuses while a master is
   stored and no ids are given; with all ids, all dead, or with isCleanLivingBroker, it does not. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; cleanBrokerData changed in 5.1.1, but not in this; up to 5.1.0 it is handleElectMaster that
   makes the new SyncStateInfo *)
EXTENDS ControllerMode

EpochAfterCleanOfCleaningResetsEpochs    == 0
SssEpochAfterCleanOfCleaningResetsEpochs == 0
=============================================================================
