------------------------------ MODULE Issue7923 ------------------------------
(* #7923 (Z74): an acting slave looks for a queue to send to and finds its own broker set, which has no master: every
   attempt fails. Repaired: another set is chosen. *)
(* CODE EscapeBridge.putMessageToRemoteBroker before 9bf34ca2f6 takes TopicPublishInfo.selectOneMessageQueue, whatever
   broker it is of. *)
(* REPORT reported: #7923 on 5.1.x. *)
(* RELEASES 5.0.0 to 5.2.0; fixed in 5.3.0 *)
EXTENDS SlaveActingMaster

OwnEscapeTargets == {"own"}
==============================================================================
