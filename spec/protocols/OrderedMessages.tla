---------------------------- MODULE OrderedMessages ----------------------------
(***************************************************************************)
(* Messages of one key that have to be consumed in their order, while      *)
(* broker sets lose their masters and get new ones. A producer's selector  *)
(* maps the key to one of the queues that the route has, and the           *)
(* application tries again what failed (DefaultMQProducerImpl.sendSelectImpl*)
(* does not). Each queue is consumed in its order by one consumer, which   *)
(* QuorumLock is about; a message may come twice (ClientRetries).          *)
(*                                                                         *)
(* Left out: what a set does to keep its log (ControllerMode).             *)
(*                                                                         *)
(* Learned: a switch of the master breaks the order in two ways that no    *)
(* broker can prevent: a later message goes where the earlier one is not   *)
(* (bugs/OrderNotStatic), or overtakes it (bugs/OrderedWithoutWaiting).    *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  \* Broker sets with a queue each; the key's home is 1.
  \* @type: Int;
  MaxSet,
  \* @type: Int;
  MaxMessages,
  \* Budgets: masters that are lost, answers that are lost.
  \* @type: Int;
  MaxOutages,
  \* @type: Int;
  MaxLosses

VARIABLES
  \* @type: Int -> Seq(Int);
  queue,
  \* The sets that have a master.
  \* @type: Set(Int);
  serving,
  \* What the application has told to send and has no SEND_OK for, and what comes next.
  \* @type: { open: Set(Int), next: Int };
  producer,
  \* How far each queue is consumed.
  \* @type: Int -> Int;
  consumed,
  \* What the application has handled, in this order; without what came again.
  \* @type: Seq(Int);
  handled,
  \* @type: { outages: Int, losses: Int };
  used

vars == <<queue, serving, producer, consumed, handled, used>>

Set == 1..MaxSet
In(s, m) == \E i \in DOMAIN s : s[i] = m

TypeOK ==
  /\ \A s \in Set : \A i \in DOMAIN queue[s] : queue[s][i] \in 1..MaxMessages
  /\ serving \subseteq Set
  /\ producer.open \subseteq 1..MaxMessages /\ producer.next \in 1..(MaxMessages + 1)
  /\ \A s \in Set : consumed[s] \in 0..Len(queue[s])
  /\ used.outages \in 0..MaxOutages /\ used.losses \in 0..MaxLosses

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* MQClientInstance.topicRouteData2TopicPublishInfo: the queues among which the selector chooses. With an order
   configuration of the topic (orderTopicConf) the same always; without, those of sets that have a master. *)
Selectable == Set

(* Does the application wait for SEND_OK before it sends the next message? *)
WaitsForAnswer == TRUE

-----------------------------------------------------------------------------
Init ==
  /\ queue = [s \in Set |-> <<>>]
  /\ serving = Set
  /\ producer = [open |-> {}, next |-> 1]
  /\ consumed = [s \in Set |-> 0]
  /\ handled = <<>>
  /\ used = [outages |-> 0, losses |-> 0]

(* MessageQueueSelector: the key's home, if it can be chosen. *)
Selected == IF 1 \in Selectable THEN {1} ELSE { s \in Selectable : \A t \in Selectable : s <= t }

ApplicationSends ==
  /\ producer.next <= MaxMessages
  /\ WaitsForAnswer => producer.open = {}
  /\ producer' = [open |-> producer.open \cup {producer.next}, next |-> producer.next + 1]
  /\ UNCHANGED <<queue, serving, consumed, handled, used>>

(* A try; an exception leaves the message open. *)
MessageIsStored(m) ==
  /\ m \in producer.open
  /\ \E s \in Selected \cap serving : queue' = [queue EXCEPT ![s] = Append(@, m)]
  /\ producer' = [producer EXCEPT !.open = @ \ {m}]
  /\ UNCHANGED <<serving, consumed, handled, used>>

AnswerIsLost(m) ==
  /\ used.losses < MaxLosses
  /\ m \in producer.open
  /\ \E s \in Selected \cap serving : queue' = [queue EXCEPT ![s] = Append(@, m)]
  /\ used' = [used EXCEPT !.losses = @ + 1]
  /\ UNCHANGED <<serving, producer, consumed, handled>>

MasterIsLost(s) ==
  /\ used.outages < MaxOutages
  /\ s \in serving
  /\ serving' = serving \ {s}
  /\ used' = [used EXCEPT !.outages = @ + 1]
  /\ UNCHANGED <<queue, producer, consumed, handled>>

MasterIsElected(s) ==
  /\ s \notin serving
  /\ serving' = serving \cup {s}
  /\ UNCHANGED <<queue, producer, consumed, handled, used>>

(* ConsumeMessageOrderlyService: one after the other; from a set without a master nothing is consumed. *)
ConsumerHandles(s) ==
  LET m == queue[s][consumed[s] + 1]
  IN
  /\ s \in serving
  /\ consumed[s] < Len(queue[s])
  /\ consumed' = [consumed EXCEPT ![s] = @ + 1]
  /\ handled' = IF In(handled, m) THEN handled ELSE Append(handled, m)
  /\ UNCHANGED <<queue, serving, producer, used>>

Next ==
  \/ ApplicationSends
  \/ \E m \in 1..MaxMessages : MessageIsStored(m)
  \/ \E m \in 1..MaxMessages : AnswerIsLost(m)
  \/ \E s \in Set : MasterIsLost(s)
  \/ \E s \in Set : MasterIsElected(s)
  \/ \E s \in Set : ConsumerHandles(s)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* A message was handled before one that was sent earlier, so an application sees a key's events in the wrong order.
HandledInOrder == \A i \in DOMAIN handled : \A j \in DOMAIN handled : i < j => handled[i] < handled[j]

\* A message is stored where it was not sent to, or by nobody; the next one is sent too early; what a queue's consumer takes and what the application handles differ.
OrderedMessagesChange ==
  [][/\ \A s \in Set : queue'[s] # queue[s] =>
          /\ s \in serving /\ s = 1
          /\ \E m \in producer.open : /\ queue'[s] = Append(queue[s], m)
                                      /\ m \notin producer'.open \/ used'.losses = used.losses + 1
     /\ producer' # producer =>
          IF UNCHANGED queue
          THEN producer.open = {} /\ producer' = [open |-> {producer.next}, next |-> producer.next + 1]
          ELSE producer' = [producer EXCEPT !.open = {}]
     /\ used'.losses # used.losses => queue' # queue
     /\ serving \ serving' # {} => used'.outages = used.outages + 1
     /\ used'.outages # used.outages => serving \ serving' # {}
     /\ \A s \in Set : consumed'[s] # consumed[s] =>
          /\ s \in serving /\ consumed'[s] = consumed[s] + 1
          /\ \E i \in DOMAIN handled' : handled'[i] = queue[s][consumed'[s]]
     /\ handled' # handled => \E s \in Set : consumed'[s] # consumed[s] /\ handled' = Append(handled, queue[s][consumed'[s]])]_vars
==============================================================================
