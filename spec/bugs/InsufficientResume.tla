------------------------- MODULE InsufficientResume -------------------------
(* Not enough: let a restarted master go on in its epoch with the controller's set, and keep its entry in the epoch
   file. A proposal of its earlier life may still be under way with valid epochs: A proposes {A, B}, restarts, learns
   {A}, acknowledges alone, and then the controller stores {A, B}. The repaired reading gives every restarted
   master a new epoch, which makes the old requests invalid. *)
(* CODE ReplicasManager.registerBrokerToController hands the stored epoch to changeToMaster, where it is greater than
   the 0 of a new process. *)
(* REPORT read from the code: as shipped: a restarted master goes on in its epoch. *)
EXTENDS ControllerMode

MayResumeInSameEpoch(b) == TRUE
=============================================================================
