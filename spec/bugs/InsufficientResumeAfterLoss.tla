--------------------- MODULE InsufficientResumeAfterLoss ---------------------
(* Not enough, for another reason: a restarted master that lost the unflushed end of its log and goes on in the same
   epoch writes other messages at offsets that its slaves already hold under that epoch; no truncation finds that. *)
(* CODE ReplicasManager.registerBrokerToController, as for InsufficientResume; AutoSwitchHAService.changeToMaster
   appends from the log's end on. *)
(* REPORT read from the code: as shipped: a restarted master goes on in its epoch. *)
EXTENDS ControllerMode

MayResumeInSameEpoch(b) == TRUE
=============================================================================
