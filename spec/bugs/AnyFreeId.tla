------------------------------ MODULE AnyFreeId ------------------------------
(* Hazard F-46: the counter rises by one whatever id was applied for, and any free id may be applied for. A replica
   takes an id beyond the counter; when the counter comes to it, every newcomer is told that id and refused. Repaired:
   only the id at the counter is accepted, so the counter is always free. *)
(* CODE BrokerReplicaInfo.addBroker counts nextAssignBrokerId up by one whatever id was applied;
   ReplicasInfoManager.applyBrokerId accepts any id that is free; getNextBrokerId then proposes a taken one for ever.
   *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.1.1 to 5.5.1; BrokerReplicaInfo.addBroker did not change; before, no id is applied for: the controller
   counts (BrokerInfo.newBrokerId) *)
EXTENDS RegistrationProgress

NextIdAfterCleanOfAnyFreeId         == 1
FirstIdAcceptedOfAnyFreeId(id)      == id = 1
UnassignedIdAcceptedOfAnyFreeId(id) == TRUE
==============================================================================
