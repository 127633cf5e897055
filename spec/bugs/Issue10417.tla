------------------------------ MODULE Issue10417 ------------------------------
(* apache/rocketmq #10417: a truncation of the log deletes all files of a consume queue, and its minimum stays where it was,
   above the maximum, which is 0. Fixed in another way (#10418, compare InsufficientReset): the queue goes on where it was
   cut. *)
(* CODE ConsumeQueue.truncateDirtyLogicFiles deletes files and leaves minLogicOffset; ConsumeQueue.correctMinOffset returns
   when minLogicOffset is not below the files' end; MappedFileQueue.getMaxOffset is 0 without a file. *)
(* REPORT reported: #10417 on 5.5.0, fixed by #10418. *)
(* RELEASES 5.0.0 to 5.5.0, by the sources of 5.0.0, 5.3.3 and 5.5.0; fixed in 5.5.1 *)
EXTENDS ConsumeQueues

MinimumStays(cut, min) == [first |-> 0, units |-> <<>>, min |-> min]
==============================================================================
