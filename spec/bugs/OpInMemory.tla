------------------------------ MODULE OpInMemory ------------------------------
(* Op messages wait in memory and are written together. A process that ends before has stored the final message and not the
   op: the half message is checked, its producer says commit again. Repaired: the op message is written with the final one;
   an election between the two still delivers twice, which at least once allows. *)
(* CODE TransactionalMessageServiceImpl.deletePrepareMessage puts the op into deleteContext; TransactionalOpBatchService
   writes it (transactionOpBatchInterval, 3 s). *)
(* REPORT by the design: at least once *)
(* RELEASES 5.1.0 to 5.5.1; before, each op message was written at once *)
EXTENDS Transactions

OpIsBatched == FALSE
OpWithFinal == TRUE
==============================================================================
