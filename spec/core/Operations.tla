----------------------------- MODULE Operations -----------------------------
(***************************************************************************)
(* What an operator asks of a broker set, as state predicates, and the     *)
(* settings for flush and acknowledgement as RocketMQ documents them, in   *)
(* place of the repaired rules. `rmqproof assess` checks these.            *)
(***************************************************************************)
EXTENDS ControllerMode

Alive == { b \in Broker : Up(b) }

(* Brokers that the controller may make master, now or when they are back. *)
Candidates == EligibleCleanly \cup (IF UncleanElection THEN EligibleUncleanly ELSE {})

(* Puts can be accepted and answered again once these brokers have elected, connected and caught up. *)
CanServeWrites(up) ==
  /\ up \cap Candidates # {}
  /\ Cardinality(up \ Learners) >= MinInSyncReplicas
  /\ AllAck \/ Cardinality(up) >= InSyncReplicas

-----------------------------------------------------------------------------
\* A message whose producer was told that it is stored is missing on the elected master, or on every disk that is left.
AcknowledgedIsKept ==
  /\ \A b \in Broker : Leads(b) => history.acked \subseteq MessagesOn(b)
  /\ history.acked \subseteq UNION { MessagesOn(b) : b \in Broker }

\* Two brokers accept messages as masters at the same time.
OneBrokerAcceptsPuts == Cardinality({ b \in Broker : MayAppend(b) }) <= 1

\* A message that a consumer has read is missing on the elected master.
ConsumedIsKept == \A b \in Broker : Leads(b) => history.consumed \subseteq MessagesOn(b)

\* A majority of the replicas runs, and none of them may become master or get enough copies for a message.
MajorityServesWrites == 2 * Cardinality(Alive) > Cardinality(Broker) => CanServeWrites(Alive)

\* All replicas but one run, and none of them may become master or get enough copies for a message.
WritesSurviveOneLoss == Cardinality(Broker \ Alive) <= 1 => CanServeWrites(Alive)

\* No replica that still has its disk may become master, or a slave finds no point where its log agrees with its master's: somebody has to repair it by hand.
NoManualRepair ==
  /\ controller.masterEpoch > 0 => \E b \in Candidates : broker[b].role # "Lost"
  /\ \A s \in Broker :
       LET m == broker[s].master
       IN broker[s].role = "Slave" /\ link[s] = NoBroker /\ m # NoBroker /\ Up(m) /\ HandshakeAllowed(s, m)
            => TruncationPoint(s, m) # NoPoint

-----------------------------------------------------------------------------
(* flushDiskType. A slave reports what it has received, flushed or not; SYNC_FLUSH makes the master wait for its own
   disk only. *)
DurableEndAsyncFlush(b) == EndOfLog(b)
DurableEndSyncFlush(b)  == IF broker[b].role = "Master" THEN disk[b].flushed ELSE EndOfLog(b)
ConfirmAfterAsyncFlush(b) == disk[b].confirm

(* readUnCommitted: the dispatch goes to the end of the log (DefaultMessageStore.getReputEndOffset). *)
DispatchLimitUncommitted(b) == EndOfLog(b)

(* minInSyncReplicas is asked before the append, and not again when the producer is told; inSyncReplicas counts every
   slave that holds the message, in the SyncStateSet or not. *)
MayAcknowledgeBySettings(m, offset) ==
  LET holders == Holders(m, offset)
      counted == IF AllAck THEN holders \cap AckSet(m) ELSE holders
  IN /\ broker[m].role = "Master"
     /\ Cardinality(counted) >= AcksNeeded(AllAck, InSyncReplicas, AckSet(m))

=============================================================================
