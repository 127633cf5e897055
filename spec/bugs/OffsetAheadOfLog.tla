--------------------------- MODULE OffsetAheadOfLog ---------------------------
(* Hazard F-51: slaves copy consumers' offsets by themselves, and the broker's own services have their places there: how far
   half messages were looked at, how far POP's checkpoints were revived. A slave may have the offset and not yet the message
   that it stands for. It is elected, and what is before the offset is never looked at again. The final, the
   op and the half message that is put back wait for no copy. In Controller mode they are read when all members have them,
   and it takes a moment in which the master counts fewer members than the controller (F-22, F-61); with F-22 it was seen.
   Repaired: a slave copies offsets that its log covers. *)
(* CODE SlaveSynchronize.syncConsumerOffset takes the whole table; EndTransactionProcessor.endMessageTransaction,
   TransactionalMessageBridge.makeOpMessageInner and renewHalfMessageInner set waitStoreMsgOK to false, and
   CommitLog.needHandleHA asks it. *)
(* REPORT read from the code: no thread has it; how likely it is depends on how far the slave's log lags when it asks for the
   offsets, every ten seconds. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.3.3 and 5.5.1 *)
EXTENDS Transactions

CopiedAnyTime == TRUE
==============================================================================
