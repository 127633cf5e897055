------------------------------ MODULE AckPolicy ------------------------------
(***************************************************************************)
(* How many copies a message needs before its producer is told "stored".   *)
(* Pure operators. `members` is the set that counts as the SyncStateSet at *)
(* the moment of the check, `holders` the brokers known to hold the        *)
(* message, the master included.                                           *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

(* Copies that the settings ask for. *)
AcksNeeded(allAckInSyncStateSet, inSyncReplicas, members) ==
  IF allAckInSyncStateSet THEN Cardinality(members) ELSE inSyncReplicas

(* SlaveActingMaster mode (calcNeedAckNums): with auto-degrade no more copies than the replicas that keep up, but never
   fewer than the minimum. A put that needs more copies than `inSync` replicas keep up is refused. *)
AcksNeededActingMaster(autoDegrade, inSyncReplicas, minInSyncReplicas, inSync) ==
  IF ~autoDegrade THEN inSyncReplicas
  ELSE LET degraded == IF inSyncReplicas <= inSync THEN inSyncReplicas ELSE inSync
       IN IF degraded >= minInSyncReplicas THEN degraded ELSE minInSyncReplicas

(* Before the append: a set that is too small refuses the message (IN_SYNC_REPLICAS_NOT_ENOUGH). *)
MembersSuffice(members, minInSyncReplicas) == Cardinality(members) >= minInSyncReplicas

(* Repaired: only members count, each member once, and the minimum is asked again when the producer is told. *)
AckedByMembers(allAckInSyncStateSet, inSyncReplicas, minInSyncReplicas, members, holders) ==
  LET copies == Cardinality(holders \cap members)
  IN /\ copies >= AcksNeeded(allAckInSyncStateSet, inSyncReplicas, members)
     /\ copies >= minInSyncReplicas

(* As shipped (GroupTransferService.doWaitTransfer): with allAck a set of at most one member is satisfied at once;
   otherwise connections are counted, whoever is behind them. `acks` is the number of connections that reached the offset, plus the master itself;
   `memberAcks` the same for connections of members only. The minimum is not asked again. *)
AckedAsShipped(allAckInSyncStateSet, inSyncReplicas, members, memberAcks, acks) ==
  IF allAckInSyncStateSet
  THEN Cardinality(members) <= 1 \/ memberAcks >= Cardinality(members)
  ELSE inSyncReplicas <= 1 \/ acks >= inSyncReplicas

=============================================================================
