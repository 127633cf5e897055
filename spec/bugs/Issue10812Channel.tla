-------------------------- MODULE Issue10812Channel --------------------------
(* apache/rocketmq #10812, as it is told: the channel to a controller that was not reachable for a moment stays inactive,
   so the scan takes that controller for unreachable and no heartbeat goes there. Requests open another channel and
   arrive: the broker asks that controller, now the leader, everything else, and counts as dead there. Issue10812 has
   what follows for the broker set. Repaired: a heartbeat also goes to the address that the broker asks everything else. *)
(* CODE ReplicasManager.sendHeartbeatToController sends to getAvailableControllerAddresses only;
   BrokerOuterAPI.checkAddressReachable is NettyRemotingClient.isAddressReachable, channel.isActive();
   schedulingSyncBrokerMetadata, brokerElect and doReportSyncStateSetChanged use controllerLeaderAddress. *)
(* REPORT reported: #10812 on 5.2.0, closed; why the channel stays inactive is open there. *)
(* RELEASES 5.1.0 to 5.5.1; in 5.1.0 it is BrokerController.sendHeartbeat that goes to the available ones; before, it
   goes to every address *)
EXTENDS ControllerDiscovery

OnlyWhoIsReachable == broker.available
==============================================================================
