----------------------------- MODULE QuorumLock -----------------------------
(***************************************************************************)
(* The lock of one queue that is consumed in order (RebalanceLockManager,  *)
(* AdminBrokerProcessor.lockBatchMQ). A consumer asks the broker that it   *)
(* takes for the master. With lockInStrictMode that broker asks the other  *)
(* members too and needs a majority of totalReplicas.                      *)
(*                                                                         *)
(* A lock is a lease without fencing: a broker forgets an entry 60 s after *)
(* its last renewal, a consumer renews every 20 s and stops consuming 30 s *)
(* after its last success. Time is not modelled. Assumed instead, and      *)
(* taken away in bugs/LeaseEndsEarly: a broker's 60 s end after the        *)
(* consumer's 30 s, whatever the clocks do and however long a consumer     *)
(* stands still.                                                           *)
(*                                                                         *)
(* Learned: a majority is not enough. Locks are in memory, and a member    *)
(* that restarts votes for the next consumer (bugs/InsufficientQuorum).    *)
(* Repaired: it votes only when what it may have granted has run out.      *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  \* Consumers of one group that want the queue.
  \* @type: Set(CONSUMER);
  Consumer,
  \* Stands for "nobody".
  \* @type: CONSUMER;
  NoConsumer,
  \* brokerIds are 0..TotalReplicas-1.
  \* @type: Int;
  TotalReplicas,
  \* lockInStrictMode
  \* @type: Bool;
  Strict,
  \* Budget: restarts of brokers.
  \* @type: Int;
  MaxRestarts

VARIABLES
  \* Who has the entry of the queue on each member, and has the member's 60 s since its start passed?
  \* @type: Int -> { owner: CONSUMER, votes: Bool };
  entry,
  \* What a consumer does: Idle, Asking, Holding; the member that it takes for the master; the members that have
  \* granted its last request.
  \* @type: CONSUMER -> { state: Str, master: Int, granted: Set(Int) };
  client,
  \* @type: Int;
  restarts

vars == <<entry, client, restarts>>

Member == 0..(TotalReplicas - 1)

TypeOK ==
  /\ entry \in [Member -> [owner : Consumer \cup {NoConsumer}, votes : BOOLEAN]]
  /\ client \in [Consumer -> [state : {"Idle", "Asking", "Holding"}, master : Member, granted : SUBSET Member]]
  /\ restarts \in 0..MaxRestarts

Init ==
  /\ entry = [b \in Member |-> [owner |-> NoConsumer, votes |-> TRUE]]
  /\ client = [c \in Consumer |-> [state |-> "Idle", master |-> 0, granted |-> {}]]
  /\ restarts = 0

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

GrantsNeeded == IF Strict THEN TotalReplicas \div 2 + 1 ELSE 1

(* Does c consume, or may it still, because of what b granted? *)
InUse(b) == \E c \in Consumer : client[c].state # "Idle" /\ b \in client[c].granted

(* May b forget its entry? Only what no consumer relies on any more. *)
EntryRunsOut(b) == ~InUse(b)

(* Does a member that restarted vote at once? *)
VotesAfterRestart == FALSE

-----------------------------------------------------------------------------
MayGrant(b, c) == entry[b].votes /\ entry[b].owner \in {NoConsumer, c}

(* The nameserver has shown another member as the master, to this consumer. *)
RouteChanges(c, b) ==
  /\ client[c].state = "Idle"
  /\ client[c].master # b
  /\ client' = [client EXCEPT ![c].master = b]
  /\ UNCHANGED <<entry, restarts>>

AskForLock(c) ==
  /\ client[c].state = "Idle"
  /\ MayGrant(client[c].master, c)
  /\ entry' = [entry EXCEPT ![client[c].master].owner = c]
  /\ client' = [client EXCEPT ![c].state = "Asking", ![c].granted = {client[c].master}]
  /\ UNCHANGED restarts

(* LOCK_BATCH_MQ with onlyThisBroker, from the asked member to another one. *)
AnotherMemberGrants(c, b) ==
  /\ Strict
  /\ client[c].state = "Asking"
  /\ b \notin client[c].granted
  /\ MayGrant(b, c)
  /\ entry' = [entry EXCEPT ![b].owner = c]
  /\ client' = [client EXCEPT ![c].granted = @ \cup {b}]
  /\ UNCHANGED restarts

LockIsGranted(c) ==
  /\ client[c].state = "Asking"
  /\ Cardinality(client[c].granted) >= GrantsNeeded
  /\ client' = [client EXCEPT ![c].state = "Holding"]
  /\ UNCHANGED <<entry, restarts>>

(* No majority, or the answer is lost: the entries stay where they are. *)
LockIsRefused(c) ==
  /\ client[c].state = "Asking"
  /\ client' = [client EXCEPT ![c].state = "Idle", ![c].granted = {}]
  /\ UNCHANGED <<entry, restarts>>

(* unlockBatchMQ; the one-way requests to the others may be lost. *)
Unlock(c, everywhere) ==
  /\ client[c].state = "Holding"
  /\ entry' = [b \in Member |-> IF (everywhere \/ b = client[c].master) /\ entry[b].owner = c
                                THEN [entry[b] EXCEPT !.owner = NoConsumer] ELSE entry[b]]
  /\ client' = [client EXCEPT ![c].state = "Idle", ![c].granted = {}]
  /\ UNCHANGED restarts

(* 30 s without a renewal: the consumer stops. *)
ConsumerGivesUp(c) ==
  /\ client[c].state = "Holding"
  /\ client' = [client EXCEPT ![c].state = "Idle", ![c].granted = {}]
  /\ UNCHANGED <<entry, restarts>>

EntryIsForgotten(b) ==
  /\ entry[b].owner # NoConsumer
  /\ EntryRunsOut(b)
  /\ entry' = [entry EXCEPT ![b].owner = NoConsumer]
  /\ UNCHANGED <<client, restarts>>

MemberRestarts(b) ==
  /\ restarts < MaxRestarts
  /\ entry' = [entry EXCEPT ![b] = [owner |-> NoConsumer, votes |-> VotesAfterRestart]]
  /\ restarts' = restarts + 1
  /\ UNCHANGED client

(* 60 s after its start nothing that it granted before can be in use. *)
MemberVotesAgain(b) ==
  /\ ~entry[b].votes
  /\ ~InUse(b)
  /\ entry' = [entry EXCEPT ![b].votes = TRUE]
  /\ UNCHANGED <<client, restarts>>

Next ==
  \/ \E c \in Consumer, b \in Member : RouteChanges(c, b)
  \/ \E c \in Consumer : AskForLock(c)
  \/ \E c \in Consumer, b \in Member : AnotherMemberGrants(c, b)
  \/ \E c \in Consumer : LockIsGranted(c)
  \/ \E c \in Consumer : LockIsRefused(c)
  \/ \E c \in Consumer, everywhere \in BOOLEAN : Unlock(c, everywhere)
  \/ \E c \in Consumer : ConsumerGivesUp(c)
  \/ \E b \in Member : EntryIsForgotten(b)
  \/ \E b \in Member : MemberRestarts(b)
  \/ \E b \in Member : MemberVotesAgain(b)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* Two consumers consume one queue at a time, so its messages are not handled in their order.
LockMutex == \A c, d \in Consumer : client[c].state = "Holding" /\ client[d].state = "Holding" => c = d

\* A consumer comes by a lock or goes on with one that was not granted to it, or a member gives, takes back or forgets an entry that somebody relies on.
LocksChange ==
  [][/\ \A c \in Consumer :
          LET old == client[c]
              new == client'[c]
          IN /\ new.state # old.state =>
                  /\ <<old.state, new.state>> \in {<<"Idle", "Asking">>, <<"Asking", "Idle">>,
                                                   <<"Asking", "Holding">>, <<"Holding", "Idle">>}
                  /\ new.state = "Asking" => new.granted = {old.master}
                  /\ new.state = "Holding" => Cardinality(old.granted) >= GrantsNeeded
             /\ new.state = "Idle" <=> new.granted = {}
             /\ new.master # old.master => old.state = "Idle" /\ new.state = "Idle"
             /\ new.granted # old.granted /\ new.state # "Idle" =>
                  /\ new.state = "Asking" /\ old.granted \subseteq new.granted
                  /\ \A b \in new.granted \ old.granted :
                       entry[b].votes /\ entry[b].owner \in {NoConsumer, c} /\ entry'[b].owner = c
     /\ \A b \in Member :
          LET old == entry[b]
              new == entry'[b]
          IN /\ new.votes # old.votes =>
                  IF new.votes THEN (\A c \in Consumer : b \notin client[c].granted) /\ new.owner = old.owner
                  ELSE restarts' = restarts + 1 /\ new.owner = NoConsumer
             /\ new.owner # old.owner =>
                  IF new.owner # NoConsumer THEN b \in client'[new.owner].granted \ client[new.owner].granted
                  ELSE \/ restarts' = restarts + 1 /\ ~new.votes
                       \/ /\ client[old.owner].state = "Holding" /\ client'[old.owner].state = "Idle"
                          /\ entry'[client[old.owner].master].owner # old.owner
                       \/ UNCHANGED client /\ (\A c \in Consumer : b \notin client[c].granted)
                          /\ \A other \in Member \ {b} : entry'[other] = entry[other]
     /\ restarts' # restarts => UNCHANGED client /\ \E b \in Member : entry'[b] = [owner |-> NoConsumer, votes |-> FALSE]]_vars
=============================================================================
