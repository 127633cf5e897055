---------------------------- MODULE WeakElection ----------------------------
(* A deliberately weak rule: every replica is eligible. *)
(* REPORT a weak rule: RocketMQ does not have it. *)
EXTENDS ControllerMode

EligibleWhoeverLives == Broker
=============================================================================
