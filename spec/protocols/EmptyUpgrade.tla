----------------------------- MODULE EmptyUpgrade ------------------------------
(***************************************************************************)
(* From DLedger mode to Controller mode. The bytes of the two logs differ, *)
(* so nothing is taken over: an operator forbids writing to a broker set,  *)
(* waits until its messages are consumed, removes all but topics.json and  *)
(* subscriptionGroup.json, and starts it again, empty, in Controller mode. *)
(*                                                                         *)
(* One queue, one consumer group. Left out: everything after it runs       *)
(* (ControllerMode), retries of consumers, messages that wait for a time.  *)
(*                                                                         *)
(* Learned: consumers' offsets go with the messages. One that is kept lies *)
(* beyond the new queue, and is set to the new queue's end                 *)
(* (bugs/OffsetsKept).                                                     *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
  \* @type: Int;
  OldMessages,
  \* @type: Int;
  NewMessages

VARIABLES
  \* DLedger, ReadOnly, Cleared, Controller
  \* @type: Str;
  mode,
  \* @type: Seq(Int);
  queue,
  \* The group's offset at the broker.
  \* @type: Int;
  offset,
  \* Messages whose producers were told that they are stored, and those that were consumed.
  \* @type: Set(Int);
  stored,
  \* @type: Set(Int);
  handled

vars == <<mode, queue, offset, stored, handled>>

TypeOK ==
  /\ mode \in {"DLedger", "ReadOnly", "Cleared", "Controller"}
  /\ \A i \in DOMAIN queue : queue[i] \in stored
  /\ offset \in 0..OldMessages + NewMessages
  /\ handled \subseteq stored

-----------------------------------------------------------------------------
(* What the operator does; a .cfg may replace it *)

ClearsWhen == offset = Len(queue)

(* store/config/consumerOffset.json is among what is removed. *)
OffsetAfterClearing == 0

-----------------------------------------------------------------------------
Init ==
  /\ mode = "DLedger"
  /\ queue = <<>>
  /\ offset = 0
  /\ stored = {}
  /\ handled = {}

BrokerStores(m) ==
  /\ m \notin stored
  /\ \/ mode = "DLedger" /\ m <= OldMessages
     \/ mode = "Controller" /\ m > OldMessages
  /\ m = 1 \/ m = OldMessages + 1 \/ m - 1 \in stored
  /\ queue' = Append(queue, m)
  /\ stored' = stored \cup {m}
  /\ UNCHANGED <<mode, offset, handled>>

ConsumerHandles ==
  /\ mode # "Cleared"
  /\ offset < Len(queue)
  /\ handled' = handled \cup {queue[offset + 1]}
  /\ offset' = offset + 1
  /\ UNCHANGED <<mode, queue, stored>>

(* DefaultMessageStore.getMessage: OFFSET_OVERFLOW_BADLY, or NO_MESSAGE_IN_QUEUE; DefaultMQPushConsumerImpl goes on there. *)
OffsetIsCorrected ==
  /\ mode # "Cleared"
  /\ offset > Len(queue)
  /\ offset' = Len(queue)
  /\ UNCHANGED <<mode, queue, stored, handled>>

OperatorForbidsWriting ==
  /\ mode = "DLedger"
  /\ mode' = "ReadOnly"
  /\ UNCHANGED <<queue, offset, stored, handled>>

OperatorClears ==
  /\ mode = "ReadOnly"
  /\ ClearsWhen
  /\ mode' = "Cleared"
  /\ queue' = <<>>
  /\ offset' = OffsetAfterClearing
  /\ UNCHANGED <<stored, handled>>

BrokerStartsInControllerMode ==
  /\ mode = "Cleared"
  /\ mode' = "Controller"
  /\ UNCHANGED <<queue, offset, stored, handled>>

Next ==
  \/ \E m \in 1..(OldMessages + NewMessages) : BrokerStores(m)
  \/ ConsumerHandles
  \/ OffsetIsCorrected
  \/ OperatorForbidsWriting
  \/ OperatorClears
  \/ BrokerStartsInControllerMode

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* A message whose producer was told that it is stored is gone, or lies before its consumers' offset: nobody gets it.
NothingLeftBehind ==
  \A m \in stored : m \in handled \/ \E i \in DOMAIN queue : queue[i] = m /\ i > offset

\* A mode comes after another than the one before it, a message is stored where none may be or out of its order, or what is consumed and the offset do not go together.
EmptyUpgradeChanges ==
  [][/\ mode' # mode => <<mode, mode'>> \in {<<"DLedger", "ReadOnly">>, <<"ReadOnly", "Cleared">>, <<"Cleared", "Controller">>}
     /\ mode' = "Cleared" => queue' = <<>>
     /\ mode' = mode /\ queue' # queue =>
          LET before == IF mode = "DLedger" THEN 0 ELSE OldMessages
          IN /\ mode \in {"DLedger", "Controller"}
             /\ queue' = Append(queue, before + Len(queue) + 1)
             /\ mode = "DLedger" => Len(queue') <= OldMessages
     /\ handled' # handled => offset' = offset + 1]_vars
==============================================================================
