--------------------- MODULE InsufficientPollResolution ---------------------
(* Not enough: a timed-out proposal is resolved by reading the controller's state. The read may come before the
   request: the set is unchanged, the master forgets the proposal, and the request arrives later. A proposal is
   resolved only when the number of the set has moved past the one that it carries. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS ControllerMode

PollResolvesProposalsBySameNumber == TRUE
=============================================================================
