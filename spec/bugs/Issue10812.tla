------------------------------ MODULE Issue10812 ------------------------------
(* apache/rocketmq #10812 (Z48): heartbeats go to the controllers that a scan found reachable. The leader that was not
   reachable for a moment left that list on one broker and, its channel being stuck, did not return; the broker goes on
   polling and asking that leader, which never hears a heartbeat: it counts as dead. Repaired: a heartbeat also goes to
   the address that the broker asks everything else. That list came with #5930: until then heartbeats went to every
   address, and the threads that sent to one that does not answer were blocked (#5929, Z51); that then no
   controller hears the broker is inferred. *)
(* CODE ReplicasManager.sendHeartbeatToController goes to getAvailableControllerAddresses;
   ReplicasManager.scanAvailableControllerAddresses takes an address out that BrokerOuterAPI.checkAddressReachable
   denies. *)
(* REPORT reported: #10812 on 5.2.0, closed; #5929, fixed by #5930 (5.1.0), reports the blocked threads. *)
(* RELEASES 5.1.0 to 5.5.1; before, BrokerController.sendHeartbeat goes to every address *)
EXTENDS Membership

HeartbeatReachesOthers(b) ==
  /\ b = FirstMaster
  /\ Up(b)
  /\ b \notin controller.alive
  /\ controller' = [controller EXCEPT !.alive = @ \cup {b}]
  /\ UNCHANGED <<events, disk, broker, link, connection, requests, notices, history, used>>

(* Two brokers; the new leader knows no heartbeats, and does not elect while it hears nobody. *)
InactiveMasterIsFoundIfOthersLive ==
  controller.master # NoBroker /\ controller.master \notin controller.alive /\ controller.alive # {}
==============================================================================
