------------------------- MODULE RetryConsumedTwice -------------------------
(* At least once is no more than that: the answer to a stored message is lost, the producer sends it again to another broker
   set, and both copies are consumed. RocketMQ tells applications to be idempotent. Repaired, by the application: it knows
   the keys that it has handled. *)
(* CODE DefaultMQProducerImpl.sendDefaultImpl goes on with the next try on a RemotingException, whether the broker had
   stored the message or not; the broker does not compare messages. *)
(* REPORT by the design: at least once. *)
(* RELEASES all *)
EXTENDS ClientRetries

KnowsItsKeys(m) == handled[m] > 0
=============================================================================
