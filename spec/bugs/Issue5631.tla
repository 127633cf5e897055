------------------------------ MODULE Issue5631 ------------------------------
(* apache/rocketmq #5631: RegisterBroker answered with the stored master although it was dead. A broker that joins became
   its slave and asked for nothing. Fixed (#5633): only a living master is named; without one the broker requests an
   election. That is of a time when elections followed the expiry of the master only, and nothing was stored when nobody
   could be elected. The fix alone is not enough (Issue5631Joining.cfg): the broker that joins while the dead master's
   entry still lives becomes its slave, its own heartbeat comes after the entry expired, and no event is left. The scan
   of #6383 closes that, so the passing .cfg has both. *)
(* CODE ReplicasInfoManager.registerBroker of 5.0.0 names the stored master where SyncStateInfo.isMasterExist, whether
   it lives or not. *)
(* REPORT reported: #5631, fixed by #5633. That the fix alone leaves a way (Issue5631Joining) is inferred. *)
(* RELEASES 5.0.0; fixed in 5.1.0 *)
EXTENDS Progress

NoScan == FALSE

StateWithout(b) ==
  LET left   == [controller EXCEPT !.alive = @ \ {b}]
      living == (controller.sss \cap left.alive) \ Learners
  IN IF b # controller.master \/ controller.masterEpoch = MaxEpoch \/ living = {} THEN {left}
     ELSE { [left EXCEPT !.masterEpoch = @ + 1, !.master = m, !.sss = SyncStateSetAfterElection(m), !.sssEpoch = @ + 1]
            : m \in living }

HeartbeatExpiresWithElection(b) ==
  /\ b \in controller.alive
  /\ ~Up(b) \/ used.expiries < MaxExpiries
  /\ controller' \in StateWithout(b)
  /\ requests' = StillPossible(requests, controller')
  /\ used' = IF Up(b) THEN [used EXCEPT !.expiries = @ + 1] ELSE used
  /\ UNCHANGED <<events, disk, broker, link, connection, notices, history>>

(* As fixed. *)
SlaveOfLivingMaster(b) ==
  /\ Running(b)
  /\ controller.master \notin {b, NoBroker}
  /\ controller.master \in controller.alive \/ broker[b].role # "Fenced"
  /\ controller.masterEpoch > broker[b].masterEpoch
  /\ TakeSlaveRole(b, ReplicaInfo)
  /\ UNCHANGED <<controller, events, requests, notices, history, used>>

JoiningBrokerRequestsElection(b, new) ==
  /\ EpochsLeft
  /\ Running(b)
  /\ \/ controller.master = NoBroker /\ broker[b].masterEpoch < controller.masterEpoch
     \/ controller.master \notin controller.alive /\ broker[b].role = "Fenced"
  /\ new \in (IF controller.masterEpoch = 0 THEN FirstElected(b) ELSE Eligible(NoBroker))
  /\ ElectCode(b, new) = "SUCCESS"
  /\ EventIsRecorded(ElectMasterEvent(new), requests)
  /\ UNCHANGED <<disk, broker, link, connection, used>>
==============================================================================
