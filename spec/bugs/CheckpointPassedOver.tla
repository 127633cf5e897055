------------------------- MODULE CheckpointPassedOver -------------------------
(* Hazard F-78: while a slave acts for its master, POP's revival goes over a checkpoint although its message could be stored
   again nowhere: not in the slave's own log, and in no other set without enableRemoteEscape, or while there is none. The
   checkpoint is to be put back, into that same log, which refuses it. A master that returns has the slave's offsets, and
   nobody gets the message any more. Repaired: the revival waits. *)
(* CODE PopReviveService.reviveRetry answers false, rePutCK calls putMessage of the broker's own store and does not look at
   the result (HookUtils.checkBeforePutMessage refuses it where brokerRole is SLAVE), mergeAndRevive commits the offset;
   BrokerPreOnlineService.syncMetadataReverse takes all of the slave's offsets. With enableRemoteEscape the message goes to
   another set, and reviveRetry answers false all the same, since what was put elsewhere has no AppendMessageResult. *)
(* REPORT read from the code: no thread has it; #10985 has a read that ends with an error, after which nothing is put
   back. *)
(* RELEASES 5.1.0 to 5.5.1, by the sources of 5.1.0, 5.1.4, 5.2.0, 5.3.3, 5.4.0, 5.5.0 and 5.5.1; before, reviveRetry
   raises an exception and the revival tries again; on processes seen on 5.3.3 and 5.5.1, and not in one try on 5.1.4, where
   the acting slave's revival stood still for 20 s *)
EXTENDS PopActing

PassedOverAnyway == TRUE
==============================================================================
