------------------------------ MODULE Issue7626 ------------------------------
(* apache/rocketmq #7626 reports a DLedger cluster: a candidate registered with the id -1, counted as the smallest slave,
   and took the write permission of all topics, which nobody gave back. Fixed (#7661): only where acting masters are
   enabled is the smallest slave one. Here is what follows if a registration does not give it back to a master that was
   missing. RocketMQ does give it back in SlaveActingMaster mode: to the nameserver an id that is not listed registers for
   the first time. In DLedger mode the master had been listed all the time, and its topics had not changed. *)
(* CODE RouteInfoManager.registerBroker: registerFirst, or isTopicConfigChanged; createAndUpdateQueueData. *)
(* REPORT inferred: #7626 is about DLedger mode, on 5.1.4 and before; fixed there by #7661 (5.2.0). *)
(* RELEASES none in SlaveActingMaster mode; in DLedger mode 5.0.0 to 5.1.4, fixed in 5.2.0 *)
EXTENDS SlaveActingMaster

WritableAsItWas(was) == was
==============================================================================
