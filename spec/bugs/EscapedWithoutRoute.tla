-------------------------- MODULE EscapedWithoutRoute --------------------------
(* Hazard F-56: an acting slave in a broker container gives what is due to the first master of its process. That is of
   another broker set, which may not have the topic: the message is stored where no route leads. Repaired: only a set that has
   the topic is taken, else remote escape looks for one. *)
(* CODE EscapeBridge.putMessage and asyncPutMessage call the message store of BrokerContainer.peekMasterBroker, which asks for
   no topic; SendMessageProcessor, which would, is not asked. *)
(* REPORT read from the code: no thread has it. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3 and 5.5.1 *)
EXTENDS Containers

AnyMaster == TRUE
==============================================================================
