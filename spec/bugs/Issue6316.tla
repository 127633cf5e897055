------------------------------ MODULE Issue6316 ------------------------------
(* apache/rocketmq #6316: after an election old and new master register under id 0 with every nameserver, and with the
   same version. The last one wins, so clients may be sent to the old one for a long time. Fixed (#6317): the version is
   the master's epoch. *)
(* CODE RouteInfoManager.registerBroker compares DataVersion.getStateVersion of the one that has the id with that of
   the one that registers; since 5.1.1 AutoSwitchHAService.changeToMaster sets it to the epoch (setStateMachineVersion). *)
(* REPORT reported: #6316 asks for it, for two masters in Controller mode; fixed by #6317. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS Routes

NoVersion(epoch) == 0
==============================================================================
