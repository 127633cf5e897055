------------------------------ MODULE OffsetsKept ------------------------------
(* From DLedger to Controller mode with the old consumers' offsets: queues begin at 0 again, offsets are beyond. A consumer that
   asks once there are messages is sent to their end. The deployment guide keeps topics.json and subscriptionGroup.json only. *)
(* CODE DefaultMessageStore.getMessage answers OFFSET_OVERFLOW_BADLY with the maximum as the next offset; NO_MESSAGE_IN_QUEUE
   with 0, so a consumer that asks before loses nothing. *)
(* REPORT by the design: the deployment guide of Controller mode, upgrade from DLedger *)
(* RELEASES all with Controller mode *)
EXTENDS EmptyUpgrade

KeptOffset == offset
==============================================================================
