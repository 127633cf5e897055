---------------------------- MODULE WeakElection ----------------------------
(* A deliberately weak rule: every replica is eligible. *)
EXTENDS ControllerMode

EligibleWhoeverLives == Broker
=============================================================================
