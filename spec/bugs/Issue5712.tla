------------------------------ MODULE Issue5712 ------------------------------
(* apache/rocketmq #5712: heartbeats only refreshed entries that the registration had made. A new controller leader had
   no entries, so no broker counted as alive any more and every AlterSyncStateSet was refused (BROKER_NOT_ALIVE). Fixed
   (#5711): a heartbeat makes the entry. Both .cfg look for a master only among brokers that are alive, as the Java. *)
(* CODE DefaultBrokerHeartbeatManager.onBrokerHeartbeat of 5.0.0 returns where brokerLiveTable has no entry. *)
(* REPORT reported: #5712, fixed by #5711. *)
(* RELEASES 5.0.0; fixed in 5.1.0 *)
EXTENDS Membership

HeartbeatOnlyRefreshes(b) ==
  /\ broker[b].role = "Fenced"
  /\ b \notin controller.alive
  /\ controller' = [controller EXCEPT !.alive = @ \cup {b}]
  /\ UNCHANGED <<events, disk, broker, link, connection, requests, notices, history, used>>

InactiveMasterIsFoundIfOthersLive ==
  controller.master # NoBroker /\ controller.master \notin controller.alive /\ controller.alive # {}
=============================================================================
