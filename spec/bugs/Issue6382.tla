------------------------------ MODULE Issue6382 ------------------------------
(* apache/rocketmq #6382: an election was started only by the event that a broker's heartbeats expire. The master dies
   while the controller leader changes: the new leader has no entry of it, so nothing expires and nobody is elected.
   Fixed (#6383): the leader also looks, every 5 s, for broker sets whose master is not alive. *)
(* CODE ControllerManager.onBrokerInactive of 5.1.0 is all that begins an election, and logs what fails. *)
(* REPORT inferred: #6382 reports an election whose append to DLedger fails and that nobody tries again; a leader
   that does not know the dead master is another way to the same state. Fixed by #6383. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS Progress

NoScan == FALSE

StateWithout(b) ==
  LET left   == [controller EXCEPT !.alive = @ \ {b}]
      living == (controller.sss \cap left.alive) \ Learners
      Next1(m) == [left EXCEPT !.masterEpoch = @ + 1, !.master = m]
  IN IF b # controller.master \/ controller.masterEpoch = MaxEpoch THEN {left}
     ELSE IF living = {} THEN {Next1(NoBroker)}
     ELSE { [Next1(m) EXCEPT !.sss = SyncStateSetAfterElection(m), !.sssEpoch = @ + 1] : m \in living }

(* The election follows in the same step. *)
HeartbeatExpiresWithElection(b) ==
  /\ b \in controller.alive
  /\ ~Up(b) \/ used.expiries < MaxExpiries
  /\ controller' \in StateWithout(b)
  /\ requests' = StillPossible(requests, controller')
  /\ used' = IF Up(b) THEN [used EXCEPT !.expiries = @ + 1] ELSE used
  /\ UNCHANGED <<events, disk, broker, link, connection, notices, history>>
=============================================================================
