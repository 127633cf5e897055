-------------------------- MODULE InsufficientReset ---------------------------
(* A queue that lost all of its files to a truncation begins at 0, its minimum too (#10418). Its earlier files may have
   expired, and consumers are beyond 0: if this broker is elected next, its messages lie where consumers do not look
   any more. Repaired: the queue goes on where it was cut. *)
(* CODE Of 5.5.1: ConsumeQueue.correctMinOffset sets minLogicOffset to 0 when there is no file;
   ConsumeQueueStore.recoverOffsetTable takes the files' end for the next queue offset, MappedFileQueue.getMaxOffset, which
   is 0 without a file. *)
(* REPORT read from the code: no thread has it. *)
(* RELEASES 5.5.1; before, the minimum stayed (Issue10417) *)
EXTENDS ConsumeQueues

BeginsAtZero(cut, min) == [first |-> 0, units |-> <<>>, min |-> 0]
==============================================================================
