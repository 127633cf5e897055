------------------------- MODULE ConfirmOffsetLemmas -------------------------
(***************************************************************************)
(* The confirm offset, for every offset. The brokers are those of the .cfg *)
(* or of `rmqproof prove --replicas N`.                                    *)
(***************************************************************************)
EXTENDS ConfirmOffset, EpochFile

CONSTANT
  \* @type: Set(BROKER);
  Broker

Offsets == [Broker -> Nat]
Acks    == [Broker -> Int]

-----------------------------------------------------------------------------
(* On the master *)

\* What the master confirms is in the log of every member.
THEOREM ConfirmNeverBeyondMember ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW connected \in SUBSET Broker,
         NEW ackOf \in Acks, NEW logEnd \in Offsets, NEW old \in Nat,
         AcksAreInLogs::  \A s \in members \ {self} : ackOf[s] <= logEnd[s],
         OldWasInLogs::   \A s \in members : old <= logEnd[s]
  PROVE  \A s \in members : ConfirmAtMaster(self, members, connected, ackOf, logEnd[self], old) <= logEnd[s]

\* As shipped, a member whose connection has not acknowledged yet does not count, and the offset passes its log.
\* EXPECT refuted
THEOREM ConfirmAsShippedBeyondMember ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW connected \in SUBSET Broker,
         NEW ackOf \in Acks, NEW logEnd \in Offsets, NEW old \in Nat,
         AcksAreInLogs::  \A s \in members \ {self} : ackOf[s] <= logEnd[s],
         OldWasInLogs::   \A s \in members : old <= logEnd[s]
  PROVE  \A s \in members : ConfirmAtMasterAsShipped(self, members, connected, ackOf, logEnd[self], old) <= logEnd[s]

\* While the set stays, acks advance and the log grows, the smallest ack does not go back.
THEOREM SmallestAckAdvances ==
  ASSUME NEW slaves \in SUBSET Broker, NEW ackOf \in Acks, NEW later \in Acks, NEW logEnd \in Nat, NEW laterEnd \in Nat,
         AcksAdvance:: \A s \in slaves : ackOf[s] <= later[s],
         LogGrows::    logEnd <= laterEnd
  PROVE  SmallestAck(slaves, ackOf, logEnd) <= SmallestAck(slaves, later, laterEnd)

\* Within one reign the repaired confirm offset never goes back, whatever the acks do.
THEOREM ConfirmNeverGoesBack ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW connected \in SUBSET Broker,
         NEW ackOf \in Acks, NEW logEnd \in Nat, NEW old \in Nat
  PROVE  ConfirmAtMaster(self, members, connected, ackOf, logEnd, old) >= old

\* As shipped it goes back when a slave that was not counted acknowledges for the first time, though every ack advances.
\* EXPECT refuted
THEOREM ConfirmAsShippedGoesBack ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW connected \in SUBSET Broker,
         NEW ackOf \in Acks, NEW later \in Acks, NEW logEnd \in Nat, NEW laterEnd \in Nat, NEW old \in Nat,
         AcksAdvance:: \A s \in members : ackOf[s] <= later[s],
         LogGrows::    logEnd <= laterEnd
  PROVE  LET confirm == ConfirmAtMasterAsShipped(self, members, connected, ackOf, logEnd, old)
         IN ConfirmAtMasterAsShipped(self, members, connected, later, laterEnd, confirm) >= confirm

\* When the set shrinks, the smallest ack does not go back.
THEOREM ShrinkNeverMovesConfirmBack ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW fewer \in SUBSET Broker,
         NEW ackOf \in Acks, NEW logEnd \in Nat,
         Shrinks:: fewer \subseteq members
  PROVE  SmallestAck(fewer \ {self}, ackOf, logEnd) >= SmallestAck(members \ {self}, ackOf, logEnd)

\* When the set expands by a slave that has acknowledged the confirm offset, the smallest ack does not go back.
THEOREM ExpandUnderGuardKeepsConfirm ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW new \in Broker, NEW ackOf \in Acks, NEW logEnd \in Nat,
         CaughtUp:: ackOf[new] >= SmallestAck(members \ {self}, ackOf, logEnd)
  PROVE  SmallestAck((members \cup {new}) \ {self}, ackOf, logEnd) >= SmallestAck(members \ {self}, ackOf, logEnd)

\* Without that guard it does go back.
\* EXPECT refuted
THEOREM ExpandWithoutGuardMovesConfirmBack ==
  ASSUME NEW self \in Broker, NEW members \in SUBSET Broker, NEW new \in Broker, NEW ackOf \in Acks, NEW logEnd \in Nat
  PROVE  SmallestAck((members \cup {new}) \ {self}, ackOf, logEnd) >= SmallestAck(members \ {self}, ackOf, logEnd)

-----------------------------------------------------------------------------
(* On a slave, and after an election *)

\* A slave's confirm offset never passes what its master confirmed.
THEOREM SlaveNeverPassesMaster ==
  ASSUME NEW announced \in Nat, NEW logEnd \in Nat, NEW old \in Nat, NEW master \in Nat,
         AnnouncedByMaster:: announced <= master,
         OldWasWithin::      old <= master
  PROVE  ConfirmAtSlave(announced, logEnd, old) <= master

\* As shipped too: the smaller of the header and the own log end.
THEOREM SlaveAsShippedNeverPassesMaster ==
  ASSUME NEW announced \in Nat, NEW logEnd \in Nat, NEW old \in Nat, NEW master \in Nat,
         AnnouncedByMaster:: announced <= master
  PROVE  ConfirmAtSlaveAsShipped(announced, logEnd, old) <= master

\* A slave's confirm offset does not go back as far as its log reaches.
THEOREM SlaveNeverGoesBack ==
  ASSUME NEW announced \in Nat, NEW logEnd \in Nat, NEW old \in Nat
  PROVE  ConfirmAtSlave(announced, logEnd, old) >= Smaller(old, logEnd)

\* As shipped a header with a smaller offset moves it back.
\* EXPECT refuted
THEOREM SlaveAsShippedGoesBack ==
  ASSUME NEW announced \in Nat, NEW logEnd \in Nat, NEW old \in Nat
  PROVE  ConfirmAtSlaveAsShipped(announced, logEnd, old) >= Smaller(old, logEnd)

\* A master elected from the SyncStateSet confirms at least what the old master confirmed.
THEOREM CleanElectionKeepsConfirm ==
  ASSUME NEW self \in Broker, NEW new \in Broker, NEW members \in SUBSET Broker, NEW connected \in SUBSET Broker,
         NEW ackOf \in Acks, NEW later \in Acks, NEW logEnd \in Offsets, NEW old \in Nat,
         CleanElection:: new \in members,
         AcksAreInLogs:: \A s \in members \ {self} : ackOf[s] <= logEnd[s],
         OldWasInLogs::  \A s \in members : old <= logEnd[s]
  PROVE  ConfirmAtMaster(new, {new}, {}, later, logEnd[new], 0)
           >= ConfirmAtMaster(self, members, connected, ackOf, logEnd[self], old)

=============================================================================
