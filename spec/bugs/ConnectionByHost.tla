--------------------------- MODULE ConnectionByHost ---------------------------
(* Hazard F-58: a master that goes online waits for the connection of each slave, and knows it by the host of its other end.
   Slaves that share a machine, as in a broker container, are not told apart. Repaired: a connection is known by its slave. *)
(* CODE HAConnectionStateNotificationService.checkConnectionStateAndNotify compares getHostAddress of the connection with
   that of the request. *)
(* REPORT read from the code: no thread has it. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3 and 5.5.1 *)
EXTENDS PreOnline

NextNotPulled ==
  LET left == SelectSeq(master.members, LAMBDA s : ~slave[s].pulled) IN IF left = <<>> THEN 0 ELSE left[1]
==============================================================================
