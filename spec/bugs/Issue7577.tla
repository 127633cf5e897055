------------------------------ MODULE Issue7577 ------------------------------
(* #7577 (Z73): an acting slave puts what is due into its own log. That log is no master's: when the master is back
   the message is in nobody's log, and the pulled delay offset says that it was delivered. Repaired (#7578): it goes to
   another broker set. *)
(* CODE TimerMessageStore.doPut before e955e4399c: the first attempt goes through escapeBridgeHook, the others to
   messageStore.putMessage. *)
(* REPORT reported: #7577 on 5.1.1, for the second attempt to put; fixed by #7578. *)
(* RELEASES 5.0.0 to 5.1.4; fixed in 5.2.0 *)
EXTENDS SlaveActingMaster

WritesLocallyAsReported == TRUE
==============================================================================
