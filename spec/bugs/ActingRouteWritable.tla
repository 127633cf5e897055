------------------------- MODULE ActingRouteWritable -------------------------
(* Hazard F-60: a slave without enableSlaveActingMaster registers the topics as it has them, so producers are sent to a set
   without a master. Repaired: the lowest slave's registration takes the permission to write away. *)
(* CODE RouteInfoManager.registerBroker takes PERM_WRITE away from the slave with the lowest brokerId only if it registers with
   enableActingMaster. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.2.0 to 5.5.0, by their sources; before, registerBroker takes it away always (changed by #7661); of 5.5.1
   no nameserver is published *)
EXTENDS SlaveActingMaster

WritableAsRegistered(was) == TRUE
==============================================================================
