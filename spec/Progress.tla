------------------------------ MODULE Progress ------------------------------
(***************************************************************************)
(* What must happen in the end, if whatever is not a fault and stays       *)
(* possible happens. Budgets make every behaviour quiet at last; a run     *)
(* that used all its epochs is excused.                                    *)
(***************************************************************************)
EXTENDS ControllerMode

Fairness ==
  /\ \A b \in Broker :
       /\ WF_vars(HeartbeatArrives(b))
       /\ WF_vars(~Up(b) /\ HeartbeatExpires(b))
       /\ WF_vars(ControllerElectsMaster(b))
       /\ \A new \in Broker : WF_vars(BrokerRequestsElection(b, new))
       /\ WF_vars(BecomeMaster(b))
       /\ WF_vars(RestartedBrokerIsElected(b))
       /\ WF_vars(BecomeSlave(b))
       /\ WF_vars(LearnSyncStateSet(b))
       /\ WF_vars(SlaveConnectsAndTruncates(b))
       /\ WF_vars(SlaveAppendsBatch(b))
       /\ WF_vars(MasterReceivesAck(b))
  /\ WF_vars(ControllerFindsNoMaster)

FairSpec == Spec /\ Fairness

EpochsAreUsed == controller.masterEpoch = MaxEpoch

\* A member of the SyncStateSet runs, but no master ever serves, so producers are refused until somebody intervenes.
EventuallyMaster ==
  <>[](\E b \in Broker : Up(b) /\ b \in controller.sss) => <>[](EpochsAreUsed \/ \E b \in Broker : Leads(b))

\* A slave never completes its handshake, so it stays empty or stale until somebody repairs its files.
HandshakeEventuallyDone ==
  \A s \in Broker :
    <>[](broker[s].role = "Slave" /\ \E m \in Broker : Leads(m)) => <>[](EpochsAreUsed \/ link[s] # NoBroker)

=============================================================================
