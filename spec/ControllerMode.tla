--------------------------- MODULE ControllerMode ---------------------------
(***************************************************************************)
(* The replication protocol of Apache RocketMQ 5's Controller mode         *)
(* (RIP-44): one controller, the brokers of one broker set, their          *)
(* producers and consumers.                                                *)
(*                                                                         *)
(*   Cluster      constants, state, initial state                          *)
(*   Rules        what a .cfg may replace, in the repaired reading         *)
(*   Controller   elections, AlterSyncStateSet, liveness                   *)
(*   Roles        changeToMaster, changeToSlave, SyncStateSet, puts        *)
(*   Replication  handshake, transfer, acknowledgement                     *)
(*   Faults       crash, restart, loss, broken connections                 *)
(*   Properties   what must hold                                           *)
(***************************************************************************)
EXTENDS Controller, Roles, Replication, Faults, Properties

Next ==
  \/ \E b \in Broker : HeartbeatArrives(b)
  \/ \E b \in Broker : HeartbeatExpires(b)
  \/ ControllerFailsOver
  \/ \E b \in Broker : ControllerElectsMaster(b)
  \/ ControllerFindsNoMaster
  \/ \E b, new \in Broker : BrokerRequestsElection(b, new)
  \/ \E b \in Broker : AdministratorDesignatesMaster(b)
  \/ \E r \in requests : ControllerAcceptsAlter(r)
  \/ \E r \in requests : ControllerRejectsAlter(r)
  \/ ControllerAppliesEvent
  \/ MetadataIsCleaned
  \/ \E b \in Broker : BecomeMaster(b)
  \/ \E b \in Broker : RestartedBrokerIsElected(b)
  \/ \E b \in Broker : NewMasterRecordsEpoch(b)
  \/ \E b \in Broker : NewMasterOpensForPuts(b)
  \/ \E b \in Broker : BecomeSlave(b)
  \/ \E b \in Broker, n \in notices : ReceiveNotice(b, n)
  \/ \E b \in Broker : LearnSyncStateSet(b)
  \/ \E b \in Broker : ForgetUnresolvedProposals(b)
  \/ \E b, s \in Broker : ProposeExpand(b, s)
  \/ \E b, s \in Broker : ProposeShrink(b, s)
  \/ \E r \in requests : SendQueuedProposal(r)
  \/ \E b \in Broker : AppendPut(b)
  \/ \E b \in Broker, id \in Message : AcknowledgePut(b, id)
  \/ \E b \in Broker : ConsumerReads(b)
  \/ \E s \in Broker : SlaveConnectsAndTruncates(s)
  \/ \E s \in Broker : SlaveAppendsBatch(s)
  \/ \E s \in Broker : SlaveLearnsConfirmOffset(s)
  \/ \E s \in Broker : MasterReceivesAck(s)
  \/ \E m, s \in Broker : MasterNoticesLostConnection(m, s)
  \/ \E b \in Broker : BytesAreFlushed(b)
  \/ \E b \in Broker : ProcessCrashes(b)
  \/ \E b \in Broker, kept \in Offset : MachineCrashes(b, kept)
  \/ \E b \in Broker : BrokerRestarts(b)
  \/ \E b \in Broker : DiskIsLost(b)
  \/ \E s \in Broker : ConnectionBreaks(s)

Spec == Init /\ [][Next]_vars

=============================================================================
