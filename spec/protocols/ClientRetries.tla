---------------------------- MODULE ClientRetries ----------------------------
(***************************************************************************)
(* What a producer's retries and a consumer's restarts make of messages:   *)
(* each that was told SEND_OK is consumed at least once, and may be        *)
(* consumed again. Several broker sets with a queue each; a synchronous    *)
(* send tries another set when a request or its answer is lost, up to      *)
(* retryTimesWhenSendFailed times (DefaultMQProducerImpl.sendDefaultImpl,  *)
(* MQFaultStrategy.selectOneMessageQueue). A queue chosen by the           *)
(* application is tried once (sendSelectImpl).                             *)
(*                                                                         *)
(* Left out: what a broker set does to keep its log (ControllerMode), the  *)
(* answer FLUSH_SLAVE_TIMEOUT and its like, which are not tried again by   *)
(* default (retryAnotherBrokerWhenNotStoreOK=false).                       *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  \* @type: Set(SET);
  BrokerSet,
  \* @type: SET;
  NoSet,
  \* @type: Int;
  MaxMessages,
  \* retryTimesWhenSendFailed
  \* @type: Int;
  Retries,
  \* Budgets: requests or answers that are lost, restarts of the consumer.
  \* @type: Int;
  MaxLosses,
  \* @type: Int;
  MaxRestarts

VARIABLES
  \* @type: SET -> Seq(Int);
  queue,
  \* The message that is being sent, how often it was tried, and where last.
  \* @type: { id: Int, tries: Int, last: SET };
  sending,
  \* What the producer was told: Nothing, SEND_OK, or an exception.
  \* @type: Int -> Str;
  told,
  \* Of each queue how far the consumer is, and how far it has committed.
  \* @type: SET -> { next: Int, committed: Int };
  consumer,
  \* How often the application has handled a message.
  \* @type: Int -> Int;
  handled,
  \* @type: { losses: Int, restarts: Int };
  used

vars == <<queue, sending, told, consumer, handled, used>>
Message == 1..MaxMessages

TypeOK ==
  /\ \A s \in BrokerSet : Len(queue[s]) <= MaxMessages * (Retries + 1) /\ \A i \in DOMAIN queue[s] : queue[s][i] \in Message
  /\ sending \in [id : 1..(MaxMessages + 1), tries : 0..Retries, last : BrokerSet \cup {NoSet}]
  /\ told \in [Message -> {"Nothing", "SEND_OK", "Exception"}]
  /\ \A s \in BrokerSet : 0 <= consumer[s].committed /\ consumer[s].committed <= consumer[s].next /\ consumer[s].next <= Len(queue[s])
  /\ \A m \in Message : handled[m] >= 0
  /\ used.losses \in 0..MaxLosses /\ used.restarts \in 0..MaxRestarts

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Where a message is tried: not at once where it just failed, if there is another set. *)
Tried == IF BrokerSet = {sending.last} THEN BrokerSet ELSE BrokerSet \ {sending.last}

(* A broker set's queue when a put is answered with SEND_OK: it has the message. That is what ControllerMode is about. *)
QueueWhenAnswered(q, m) == Append(q, m)

(* Does the application pass over a message that it has handled? Only its own keys tell. *)
KnowsAlready(m) == FALSE

-----------------------------------------------------------------------------
Init ==
  /\ queue = [s \in BrokerSet |-> <<>>]
  /\ sending = [id |-> 1, tries |-> 0, last |-> NoSet]
  /\ told = [m \in Message |-> "Nothing"]
  /\ consumer = [s \in BrokerSet |-> [next |-> 0, committed |-> 0]]
  /\ handled = [m \in Message |-> 0]
  /\ used = [losses |-> 0, restarts |-> 0]

Done(answer) ==
  /\ told' = [told EXCEPT ![sending.id] = answer]
  /\ sending' = [id |-> sending.id + 1, tries |-> 0, last |-> NoSet]

(* An exception: the next try, or the application is told. *)
Failed(s) ==
  IF sending.tries < Retries
  THEN sending' = [sending EXCEPT !.tries = @ + 1, !.last = s] /\ told' = told
  ELSE Done("Exception")

MessageIsSent(s) ==
  /\ sending.id <= MaxMessages
  /\ s \in Tried
  /\ queue' = [queue EXCEPT ![s] = QueueWhenAnswered(@, sending.id)]
  /\ Done("SEND_OK")
  /\ UNCHANGED <<consumer, handled, used>>

AnswerIsLost(s) ==
  /\ sending.id <= MaxMessages
  /\ used.losses < MaxLosses
  /\ s \in Tried
  /\ queue' = [queue EXCEPT ![s] = Append(@, sending.id)]
  /\ Failed(s)
  /\ used' = [used EXCEPT !.losses = @ + 1]
  /\ UNCHANGED <<consumer, handled>>

RequestIsLost(s) ==
  /\ sending.id <= MaxMessages
  /\ used.losses < MaxLosses
  /\ s \in Tried
  /\ Failed(s)
  /\ used' = [used EXCEPT !.losses = @ + 1]
  /\ UNCHANGED <<queue, consumer, handled>>

MessageIsHandled(s) ==
  /\ consumer[s].next < Len(queue[s])
  /\ LET m == queue[s][consumer[s].next + 1]
     IN handled' = IF KnowsAlready(m) THEN handled ELSE [handled EXCEPT ![m] = @ + 1]
  /\ consumer' = [consumer EXCEPT ![s].next = @ + 1]
  /\ UNCHANGED <<queue, sending, told, used>>

OffsetIsCommitted(s) ==
  /\ consumer[s].committed < consumer[s].next
  /\ consumer' = [consumer EXCEPT ![s].committed = consumer[s].next]
  /\ UNCHANGED <<queue, sending, told, handled, used>>

(* It goes on at what it had committed. *)
ConsumerRestarts ==
  /\ used.restarts < MaxRestarts
  /\ consumer' = [s \in BrokerSet |-> [consumer[s] EXCEPT !.next = consumer[s].committed]]
  /\ used' = [used EXCEPT !.restarts = @ + 1]
  /\ UNCHANGED <<queue, sending, told, handled>>

Next ==
  \/ \E s \in BrokerSet : MessageIsSent(s) \/ AnswerIsLost(s) \/ RequestIsLost(s)
  \/ \E s \in BrokerSet : MessageIsHandled(s) \/ OffsetIsCommitted(s)
  \/ ConsumerRestarts

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ \A s \in BrokerSet : WF_vars(MessageIsHandled(s))

-----------------------------------------------------------------------------
\* A message whose producer was told SEND_OK is in no queue.
SentIsStored == \A m \in Message : told[m] = "SEND_OK" => \E s \in BrokerSet : \E i \in DOMAIN queue[s] : queue[s][i] = m

\* A message whose producer was told SEND_OK is never consumed.
EventuallyConsumed == \A m \in Message : told[m] = "SEND_OK" ~> handled[m] > 0

\* A message is consumed twice, so an application that is not idempotent does its work twice.
ConsumedOnce == \A m \in Message : handled[m] <= 1

\* A try does not count, goes where the last one failed, or the producer is told what did not happen; a consumer handles or commits what it is not at.
RetriesChange ==
  [][/\ sending' # sending =>
          /\ sending.id <= MaxMessages
          /\ IF sending'.id = sending.id
             THEN /\ used'.losses = used.losses + 1 /\ UNCHANGED told
                  /\ sending'.tries = sending.tries + 1 /\ sending'.last \in BrokerSet \ {sending.last}
             ELSE /\ sending' = [id |-> sending.id + 1, tries |-> 0, last |-> NoSet]
                  /\ IF used'.losses = used.losses
                     THEN told'[sending.id] = "SEND_OK" /\ queue' # queue
                     ELSE told'[sending.id] = "Exception" /\ sending.tries = Retries
     /\ told' # told \/ queue' # queue \/ used'.losses # used.losses => sending' # sending
     /\ \A s \in BrokerSet : queue'[s] # queue[s] =>
          queue'[s] = Append(queue[s], sending.id) /\ (s # sending.last \/ BrokerSet = {s})
     /\ \A s \in BrokerSet :
          LET old == consumer[s]
              new == consumer'[s]
          IN /\ new.next > old.next =>
                  LET m == queue[s][new.next] IN new.next = old.next + 1 /\ handled'[m] = handled[m] + 1
             /\ new.next < old.next => used'.restarts = used.restarts + 1 /\ new.next = old.committed
             /\ new.committed # old.committed => new = [next |-> old.next, committed |-> old.next]
     /\ handled' # handled => \E s \in BrokerSet : consumer'[s].next > consumer[s].next
     /\ used'.restarts # used.restarts => \A s \in BrokerSet : consumer'[s].next = consumer'[s].committed]_vars
==============================================================================
