------------------------------ MODULE Issue7927 ------------------------------
(* #7927 (Z75): after so many failed attempts to send a message to another broker set it is dropped, and the delay
   offset moves on. Repaired: it is tried until it is delivered. *)
(* CODE TimerMessageStore.doPut tries three times and gives up, since 5.3.2 TimerDequeuePutMessageService.run does;
   EscapeBridge.putMessage answers PUT_TO_REMOTE_BROKER_FAIL. *)
(* REPORT reported: #7927 on 5.1.x; closed as stale, and so was its change #7928. *)
(* RELEASES 5.0.0 to 5.5.1; since 5.3.2 timerEnableRetryUntilSuccess=true (#8979, default false) tries on *)
EXTENDS SlaveActingMaster

GivesUpAsReported == TRUE
==============================================================================
