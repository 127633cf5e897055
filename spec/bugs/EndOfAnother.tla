----------------------------- MODULE EndOfAnother -----------------------------
(* Hazard F-55: END_TRANSACTION names its half message by a place in the log and one in the queue. A half message that was
   answered without a copy is lost with its master, and the next one takes its place: a producer's commit ends another's
   transaction, if they are of one producer group. Repaired: the request has to name the transaction that is there. *)
(* CODE EndTransactionProcessor.checkPrepareMessage compares the producer group, tranStateTableOffset and commitLogOffset, not
   the transaction's id. *)
(* REPORT read from the code: no thread has it; the places are the same only if the logs' bytes before them have equal
   lengths. *)
(* RELEASES 5.0.0 to 5.5.1, with inSyncReplicas=1 and without all-ack, where the loss of the half message is by the
   design; checkPrepareMessage did not change *)
EXTENDS Transactions

WhateverIsThere(e) == TRUE
AnsweredAtOnce     == FALSE
==============================================================================
