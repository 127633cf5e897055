------------------------------ MODULE Issue7577 ------------------------------
(* #7577 (Z73): an acting slave puts what is due into its own log. That log is no master's: when the master is back
   the message is in nobody's log, and the pulled delay offset says that it was delivered. Repaired (#7578): it goes to
   another broker set. *)
EXTENDS SlaveActingMaster

WritesLocallyAsReported == TRUE
==============================================================================
