------------------------------ MODULE Progress ------------------------------
(***************************************************************************)
(* What must happen in the end, if whatever is not a fault and stays       *)
(* possible happens. Faults are bounded, so every behaviour gets quiet at  *)
(* last, and what the protocol then does by itself is what counts.         *)
(*                                                                         *)
(* Nothing is excused. Epochs are numbers up to MaxEpoch, and a behaviour  *)
(* that came to the bound could not elect anybody any more; the invariant  *)
(* EpochsSuffice says that none does. It is no assumption about faults:    *)
(* elections have reasons, which run out with the faults. A rule that      *)
(* elects for ever violates it, whatever the bound is: a scan, say, that   *)
(* also finds broker sets without a master raises the epoch as long as     *)
(* nobody is alive.                                                        *)
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

EpochsSuffice == controller.masterEpoch < MaxEpoch

\* A member of the SyncStateSet runs, but no master ever serves, so producers are refused until somebody intervenes.
EventuallyMaster ==
  <>[](\E b \in Broker : Up(b) /\ b \in controller.sss) => <>[](\E b \in Broker : Leads(b))

\* A slave never completes its handshake, so it stays empty or stale until somebody repairs its files.
HandshakeEventuallyDone ==
  \A s \in Broker :
    <>[](broker[s].role = "Slave" /\ \E m \in Broker : Leads(m)) => <>[](link[s] # NoBroker)

=============================================================================
