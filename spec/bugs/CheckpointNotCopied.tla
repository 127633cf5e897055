-------------------------- MODULE CheckpointNotCopied --------------------------
(* Hazard F-52: a group's offset goes over a message when its checkpoint is stored at the master. Slaves copy offsets by
   themselves: one may have the offset and not yet the checkpoint. It is elected, and nobody gets the message any more, nor is
   it revived. All-ack does not help where a checkpoint whose copies came too late counts as stored. Repaired: a slave copies
   offsets that its log covers (compare OffsetAheadOfLog). *)
(* CODE PopBufferMergeService.handleCkMessagePutResult takes FLUSH_SLAVE_TIMEOUT and SLAVE_NOT_AVAILABLE for stored,
   scanCommitOffset commits then; SlaveSynchronize.syncConsumerOffset takes the whole table. *)
(* REPORT read from the code: no thread has it; how likely it is depends on how far the slave's log lags when it asks for the
   offsets, every ten seconds. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3 and 5.5.1 *)
EXTENDS Pop

CopiedAnyTime == TRUE
==============================================================================
