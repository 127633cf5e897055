---------------------------- MODULE LeaseEndsEarly ----------------------------
(* The lock is a lease of 60 s and nothing tells the consumer's work of an old lease from that of a new one. A consumer
   that stands still, or a clock that runs fast, and the members give the queue to another one while the first still
   consumes. Repaired here by assumption only: a lease ends on the members after it has ended at the consumer. *)
(* REPORT by the design: the lock is a lease. *)
EXTENDS QuorumLock

EntryRunsOutAnyTime(b) == TRUE
===============================================================================
