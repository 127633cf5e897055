--------------------------- MODULE LockOperations ---------------------------
(***************************************************************************)
(* The operator's question about the locks of queues that are consumed in  *)
(* order, with totalReplicas as the files have it, which need not be the   *)
(* number of replicas.                                                     *)
(***************************************************************************)
EXTENDS QuorumLock

CONSTANT
  \* totalReplicas
  \* @type: Int;
  ConfiguredReplicas

GrantsOfSettings == IF Strict THEN ConfiguredReplicas \div 2 + 1 ELSE 1

(* As shipped a member that restarts votes at once: RebalanceLockManager.tryLockBatch knows what is in memory. *)
VotesAsShipped == TRUE

(* Where no member is ever missed, all consumers ask the same one. *)
RouteStays(c, b) == FALSE /\ UNCHANGED vars

=============================================================================
