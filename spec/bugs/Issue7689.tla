------------------------------ MODULE Issue7689 ------------------------------
(* apache/rocketmq #7689: a restarted master dispatches up to its confirmOffset and reads the next queue offset from the
   queue, which lacks what is not confirmed. Fixed (#7690): the log beyond the confirmOffset is read, too. *)
(* CODE ConsumeQueueStore.recoverOffsetTable; compensateForHA is the repair. ConsumeQueue.putMessagePositionInfo passes
   over a queue offset that is there already. *)
(* REPORT reported: #7689 on 5.1.4, fixed by #7690. *)
(* RELEASES 5.0.0 to 5.1.4 by their history; fixed in 5.2.0 *)
EXTENDS ConsumeQueues

NextOfQueue == QueueMax
==============================================================================
