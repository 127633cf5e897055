---------------------------- MODULE HeldLockDropped ----------------------------
(* Hazard F-54: POP gives a queue to one consumer at a time. Its locks are cleaned by their age, also those that are held: a
   read that takes longer than a minute, and a second consumer is given the same message. Repaired: a lock that is held stays.
   *)
(* CODE PopMessageProcessor.QueueLockManager.cleanUnusedLock asks getLockTime, not isLock; its comment says that it may lock
   twice. *)
(* REPORT read from the code: its comment says so; at least once allows it. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3 and 5.5.1 *)
EXTENDS Pop

DroppedByAge == TRUE
==============================================================================
