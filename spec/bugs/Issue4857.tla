------------------------------ MODULE Issue4857 ------------------------------
(* apache/rocketmq #4857: the metadata are cleaned while a broker runs. Its polls are answered "no such broker set", and
   it goes on polling, unknown to the controller. Fixed (#4862): it registers again. *)
(* CODE before 0909aa91a2 ReplicasManager.schedulingSyncBrokerMetadata only logged the refusal of
   BrokerOuterAPI.getReplicaInfo. *)
(* REPORT reported: #4857, fixed by #4862. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS RegistrationProgress

UnknownBrokerGoesOn == FALSE
==============================================================================
