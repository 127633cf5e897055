--------------------------- MODULE FirstAttemptOnly ---------------------------
(* A broker whose first attempt to register came to nothing gives up. RocketMQ's tries again: ReplicasManager.start of all
   releases calls startBasicService every five seconds until it succeeds. *)
(* REPORT a weak rule: #4913 and its change cf74c3cd8b are about something else, a second's rest between the three requests
   that ask for the controllers' leader (ReplicasManager.schedulingSyncControllerMetadata). *)
EXTENDS RegistrationProgress

TriesOnce(r) == identity[r].attempt = 0
==============================================================================
