------------------------------ MODULE Issue7017 ------------------------------
(* apache/rocketmq #7017: with inSyncReplicas=1 and allAckInSyncStateSet=false a master that is cut off goes on
   acknowledging alone, and the messages vanish when it rejoins. No rule is wrong: the settings promise no more.
   The .cfg of this module has those settings, its pair has allAckInSyncStateSet=true. *)
(* REPORT by the design: #7017 reports it on 5.1.1; the settings promise no more. *)
(* RELEASES all, with inSyncReplicas=1 *)
EXTENDS ControllerMode
=============================================================================
