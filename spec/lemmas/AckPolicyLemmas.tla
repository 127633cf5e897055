--------------------------- MODULE AckPolicyLemmas ---------------------------
(***************************************************************************)
(* How many copies a message has when its producer is told "stored", for   *)
(* all settings. The brokers are those of the .cfg or of --replicas N.     *)
(***************************************************************************)
EXTENDS AckPolicy

CONSTANT
  \* @type: Set(BROKER);
  Broker

Size == Cardinality(Broker)

-----------------------------------------------------------------------------
(* Bounds *)

\* Whatever allAck says, the copies asked for are between one and all, if inSyncReplicas is and the set has a member.
THEOREM AcksNeededWithinBounds ==
  ASSUME NEW allAck \in BOOLEAN, NEW inSyncReplicas \in Int, NEW members \in SUBSET Broker,
         SettingIsSane:: inSyncReplicas \in 1..Size,
         HasMembers::    members # {}
  PROVE  AcksNeeded(allAck, inSyncReplicas, members) \in 1..Size

\* With auto-degrade the copies asked for lie between minInSyncReplicas and inSyncReplicas.
THEOREM AutoDegradeWithinBounds ==
  ASSUME NEW autoDegrade \in BOOLEAN, NEW inSyncReplicas \in Nat, NEW minInSyncReplicas \in Nat, NEW inSync \in Nat,
         MinimumBelowWanted:: minInSyncReplicas <= inSyncReplicas
  PROVE  AcksNeededActingMaster(autoDegrade, inSyncReplicas, minInSyncReplicas, inSync)
           \in minInSyncReplicas..inSyncReplicas

\* With auto-degrade a put is not asked for more copies than replicas that keep up, unless the minimum asks for them.
THEOREM AutoDegradeAsksNoMoreThanThereAre ==
  ASSUME NEW autoDegrade \in BOOLEAN, NEW inSyncReplicas \in Nat, NEW minInSyncReplicas \in Nat, NEW inSync \in Nat,
         Degrades::     autoDegrade,
         MinimumIsMet:: minInSyncReplicas <= inSync
  PROVE  AcksNeededActingMaster(autoDegrade, inSyncReplicas, minInSyncReplicas, inSync) <= inSync

\* A message is not acknowledged with fewer copies than the settings ask for.
THEOREM AckedHasCopies ==
  ASSUME NEW allAck \in BOOLEAN, NEW inSyncReplicas \in Nat, NEW minInSyncReplicas \in Nat,
         NEW members \in SUBSET Broker, NEW holders \in SUBSET Broker,
         Acked:: AckedByMembers(allAck, inSyncReplicas, minInSyncReplicas, members, holders)
  PROVE  /\ Cardinality(holders) >= minInSyncReplicas
         /\ Cardinality(holders) >= AcksNeeded(allAck, inSyncReplicas, members)

-----------------------------------------------------------------------------
(* Below the minimum *)

\* With fewer members than minInSyncReplicas nothing is acknowledged.
THEOREM BelowMinimumNothing ==
  ASSUME NEW allAck \in BOOLEAN, NEW inSyncReplicas \in Nat, NEW minInSyncReplicas \in Nat,
         NEW members \in SUBSET Broker, NEW holders \in SUBSET Broker,
         TooFew:: ~MembersSuffice(members, minInSyncReplicas)
  PROVE  ~AckedByMembers(allAck, inSyncReplicas, minInSyncReplicas, members, holders)

\* As shipped the minimum is not asked again when the producer is told, so a set that shrank acknowledges.
\* EXPECT refuted
THEOREM BelowMinimumAsShipped ==
  ASSUME NEW allAck \in BOOLEAN, NEW inSyncReplicas \in Nat, NEW minInSyncReplicas \in Nat,
         NEW members \in SUBSET Broker, NEW memberAcks \in Nat, NEW acks \in Nat,
         TooFew:: ~MembersSuffice(members, minInSyncReplicas)
  PROVE  ~AckedAsShipped(allAck, inSyncReplicas, members, memberAcks, acks)

-----------------------------------------------------------------------------
(* Survival *)

\* With allAck an acknowledged message is on every member, that is, on every replica that can be elected.
THEOREM AllAckHoldsEverywhere ==
  ASSUME NEW allAck \in BOOLEAN, NEW inSyncReplicas \in Nat, NEW minInSyncReplicas \in Nat,
         NEW members \in SUBSET Broker, NEW holders \in SUBSET Broker,
         AllAck:: allAck,
         Acked::  AckedByMembers(allAck, inSyncReplicas, minInSyncReplicas, members, holders)
  PROVE  members \subseteq holders

\* As shipped connections are counted: two of one slave stand for a member that has nothing (hazard F-16).
\* EXPECT refuted
THEOREM AllAckAsShippedMissesMember ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW holders \in SUBSET Broker, NEW memberAcks \in Nat,
         MasterHolds::       self \in holders \cap members,
         TwoConnectionsEach:: memberAcks <= 1 + 2 * Cardinality((holders \cap members) \ {self}),
         Acked::             AckedAsShipped(TRUE, 1, members, memberAcks, memberAcks)
  PROVE  members \subseteq holders

\* With one connection for each slave it would be right.
THEOREM AllAckOfSingleConnections ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW holders \in SUBSET Broker, NEW memberAcks \in Nat,
         MasterHolds::      self \in holders \cap members,
         OneConnectionEach:: memberAcks <= 1 + Cardinality((holders \cap members) \ {self}),
         Acked::            AckedAsShipped(TRUE, 1, members, memberAcks, memberAcks)
  PROVE  members \subseteq holders

(* Copies of a message that ends at `offset` and was acknowledged in epoch `now`: a log of that epoch that reaches it. *)
Copies(lastEpoch, logEnd, now, offset) == { b \in Broker : lastEpoch[b] = now /\ logEnd[b] >= offset }

(* An election by (epoch, maxOffset) among the brokers that are left. *)
Wins(b, left, lastEpoch, logEnd) ==
  /\ b \in left
  /\ \A c \in left : \/ lastEpoch[c] < lastEpoch[b]
                     \/ lastEpoch[c] = lastEpoch[b] /\ logEnd[c] <= logEnd[b]

\* A message with k copies survives any k-1 losses, if the newest (epoch, maxOffset) that is left is elected.
THEOREM CopiesSurviveFewerLosses ==
  ASSUME NEW lastEpoch \in [Broker -> Nat], NEW logEnd \in [Broker -> Nat], NEW now \in Nat, NEW offset \in Nat,
         NEW k \in Nat, NEW lost \in SUBSET Broker, NEW winner \in Broker,
         NoNewerEpoch:: \A b \in Broker : lastEpoch[b] <= now,
         Acked::        AckedByMembers(FALSE, k, 0, Broker, Copies(lastEpoch, logEnd, now, offset)),
         FewLosses::    Cardinality(lost) <= k - 1,
         Elected::      Wins(winner, Broker \ lost, lastEpoch, logEnd)
  PROVE  winner \in Copies(lastEpoch, logEnd, now, offset)

\* It does not survive k losses.
\* EXPECT refuted
THEOREM CopiesDoNotSurviveAsManyLosses ==
  ASSUME NEW lastEpoch \in [Broker -> Nat], NEW logEnd \in [Broker -> Nat], NEW now \in Nat, NEW offset \in Nat,
         NEW k \in Nat, NEW lost \in SUBSET Broker, NEW winner \in Broker,
         NoNewerEpoch:: \A b \in Broker : lastEpoch[b] <= now,
         Acked::        AckedByMembers(FALSE, k, 0, Broker, Copies(lastEpoch, logEnd, now, offset)),
         AsManyLosses:: Cardinality(lost) <= k,
         Elected::      Wins(winner, Broker \ lost, lastEpoch, logEnd)
  PROVE  winner \in Copies(lastEpoch, logEnd, now, offset)

\* Two majorities of lock holders have a broker in common.
THEOREM MajoritiesIntersect ==
  ASSUME NEW one \in SUBSET Broker, NEW other \in SUBSET Broker,
         OneIsMajority::   2 * Cardinality(one) > Size,
         OtherIsMajority:: 2 * Cardinality(other) > Size
  PROVE  one \cap other # {}

=============================================================================
