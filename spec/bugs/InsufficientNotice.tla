------------------------- MODULE InsufficientNotice -------------------------
(* Not enough: a broker obeys every notification with a greater epoch. A restarted master has forgotten its epoch;
   the late notification of its own election makes it master again with the set of that moment, {self}, while the
   controller's set has grown since. A broker that is not registered yet must not obey notifications. *)
(* CODE ReplicasManager.changeBrokerRole asks only for a greater epoch, and that of a new process is 0. *)
(* REPORT read from the code: as shipped: ReplicasManager.changeBrokerRole asks only for a greater epoch. *)
EXTENDS ControllerMode

HeedsEveryNotice(b) == TRUE
=============================================================================
