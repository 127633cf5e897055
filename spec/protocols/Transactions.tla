----------------------------- MODULE Transactions -----------------------------
(***************************************************************************)
(* Half messages and their op messages. A producer sends a half message,   *)
(* executes its local transaction once that is answered, and asks to end   *)
(* it: the final message is stored where consumers see it, and an op       *)
(* message says that the half is done. The master looks at half messages   *)
(* in their order; one that has no op is put back at the end, and its      *)
(* producer is asked again. How far it has looked is a consumer's offset,  *)
(* which slaves copy beside the log (Metadata).                            *)
(*                                                                         *)
(* One log of two brokers, of which the slave has a beginning. Left out:   *)
(* the numbers of checks (after transactionCheckMax a half message is laid *)
(* aside for an operator), acting masters (SlaveActingMaster). Assumed: a  *)
(* request is executed or lost, and the batch of op messages written,      *)
(* before a half message is old enough to be checked.                      *)
(*                                                                         *)
(* Learned: an op message is behind the final one in the log, so whoever   *)
(* has it has both. But how far the master has looked must not be copied   *)
(* ahead of them (bugs/OffsetAheadOfLog).                                  *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
  \* @type: Int;
  MaxTransactions,
  \* Budgets: requests that are lost, half messages that are put back, restarts of the process, elections of the slave.
  \* @type: Int;
  MaxLosses,
  \* @type: Int;
  MaxChecks,
  \* @type: Int;
  MaxRestarts,
  \* @type: Int;
  MaxElections

VARIABLES
  \* Half, Final or Op; of which transaction, and where its half message is.
  \* @type: Seq({ kind: Str, tx: Int, of: Int });
  log,
  \* So much of it the slave has.
  \* @type: Int;
  copied,
  \* The half messages up to here were looked at; what the slave has of that.
  \* @type: Int;
  looked,
  \* @type: Int;
  slaveLooked,
  \* Op messages that wait in the master's memory, as the places of their half messages.
  \* @type: Set(Int);
  batch,
  \* What the local transaction came to: None, Commit or Rollback.
  \* @type: Int -> Str;
  decided,
  \* END_TRANSACTION requests under way: whose, and where its half message is.
  \* @type: Set({ tx: Int, at: Int });
  ends,
  \* @type: { transactions: Int, losses: Int, checks: Int, restarts: Int, elections: Int };
  used

vars == <<log, copied, looked, slaveLooked, batch, decided, ends, used>>

Transaction == 1..MaxTransactions
IsHalf(i)   == log[i].kind = "Half"
HasOp(i)    == \E k \in DOMAIN log : log[k].kind = "Op" /\ log[k].of = i
Finals(t)   == { k \in DOMAIN log : log[k].kind = "Final" /\ log[k].tx = t }

TypeOK ==
  /\ \A i \in DOMAIN log : log[i].kind \in {"Half", "Final", "Op"} /\ log[i].tx \in Transaction /\ log[i].of \in 0..Len(log)
  /\ copied \in 0..Len(log) /\ looked >= 0 /\ slaveLooked >= 0
  /\ batch \subseteq DOMAIN log
  /\ decided \in [Transaction -> {"None", "Commit", "Rollback"}]
  /\ \A e \in ends : e.tx \in Transaction /\ decided[e.tx] # "None"

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* SlaveSynchronize.syncConsumerOffset: when may a slave copy how far the master has looked? *)
OffsetsMayBeCopied == copied = Len(log)

(* Is a half message answered when the slave has it? With inSyncReplicas=1 and without all-ack at once. *)
HalfAnsweredWhenCopied == TRUE

(* EndTransactionProcessor.checkPrepareMessage: is the half message at that place the one of this transaction? *)
EndMeans(e) == log[e.at].tx = e.tx

(* TransactionalMessageServiceImpl.deletePrepareMessage: is an op message written with the final one? *)
OpIsWrittenAtOnce == FALSE

-----------------------------------------------------------------------------
Init ==
  /\ log = <<>>
  /\ copied = 0
  /\ looked = 0
  /\ slaveLooked = 0
  /\ batch = {}
  /\ decided = [t \in Transaction |-> "None"]
  /\ ends = {}
  /\ used = [transactions |-> 0, losses |-> 0, checks |-> 0, restarts |-> 0, elections |-> 0]

Record(kind, t, of) == [kind |-> kind, tx |-> t, of |-> of]

HalfArrives ==
  /\ used.transactions < MaxTransactions
  /\ log' = Append(log, Record("Half", used.transactions + 1, 0))
  /\ used' = [used EXCEPT !.transactions = @ + 1]
  /\ UNCHANGED <<copied, looked, slaveLooked, batch, decided, ends>>

(* The local transaction is executed, and DefaultMQProducerImpl.endTransaction sends a request that nobody answers. *)
HalfIsAnswered(i, outcome) ==
  /\ i \in DOMAIN log /\ IsHalf(i)
  /\ decided[log[i].tx] = "None"
  /\ HalfAnsweredWhenCopied => i <= copied
  /\ decided' = [decided EXCEPT ![log[i].tx] = outcome]
  /\ ends' = ends \cup {[tx |-> log[i].tx, at |-> i]}
  /\ UNCHANGED <<log, copied, looked, slaveLooked, batch, used>>

EndIsLost(e) ==
  /\ used.losses < MaxLosses
  /\ ends' = ends \ {e}
  /\ used' = [used EXCEPT !.losses = @ + 1]
  /\ UNCHANGED <<log, copied, looked, slaveLooked, batch, decided>>

(* EndTransactionProcessor.processRequest. The final message waits for no copy (setWaitStoreMsgOK). *)
EndIsExecuted(e) ==
  LET known == e.at \in DOMAIN log /\ IsHalf(e.at) /\ EndMeans(e)
      final == IF decided[e.tx] = "Commit" THEN <<Record("Final", log[e.at].tx, e.at)>> ELSE <<>>
      op    == IF OpIsWrittenAtOnce THEN <<Record("Op", log[e.at].tx, e.at)>> ELSE <<>>
  IN
  /\ log' = IF known THEN log \o final \o op ELSE log
  /\ batch' = IF known /\ ~OpIsWrittenAtOnce THEN batch \cup {e.at} ELSE batch
  /\ ends' = ends \ {e}
  /\ UNCHANGED <<copied, looked, slaveLooked, decided, used>>

(* TransactionalOpBatchService *)
OpIsWritten(i) ==
  /\ i \in batch
  /\ log' = Append(log, Record("Op", log[i].tx, i))
  /\ batch' = batch \ {i}
  /\ UNCHANGED <<copied, looked, slaveLooked, decided, ends, used>>

NextHalf(i) == i \in DOMAIN log /\ IsHalf(i) /\ looked < i /\ \A k \in (looked + 1)..(i - 1) : ~IsHalf(k)

(* TransactionalMessageServiceImpl.check: removeMap has it. *)
HalfIsPassed(i) ==
  /\ NextHalf(i)
  /\ HasOp(i)
  /\ looked' = i
  /\ UNCHANGED <<log, copied, slaveLooked, batch, decided, ends, used>>

(* putBackHalfMsgQueue and resolveHalfMsg: the producer answers what it did. *)
HalfIsPutBack(i) ==
  LET t == log[i].tx
  IN
  /\ used.checks < MaxChecks
  /\ NextHalf(i)
  /\ ~HasOp(i) /\ i \notin batch
  /\ decided[t] # "None" /\ \A e \in ends : e.tx # t
  /\ log' = Append(log, Record("Half", t, 0))
  /\ looked' = i
  /\ ends' = ends \cup {[tx |-> t, at |-> Len(log) + 1]}
  /\ used' = [used EXCEPT !.checks = @ + 1]
  /\ UNCHANGED <<copied, slaveLooked, batch, decided>>

SlaveCopies ==
  /\ copied < Len(log)
  /\ copied' = copied + 1
  /\ UNCHANGED <<log, looked, slaveLooked, batch, decided, ends, used>>

SlaveSynchronizes ==
  /\ slaveLooked # looked
  /\ OffsetsMayBeCopied
  /\ slaveLooked' = looked
  /\ UNCHANGED <<log, copied, looked, batch, decided, ends, used>>

MasterRestarts ==
  /\ used.restarts < MaxRestarts
  /\ batch' = {}
  /\ used' = [used EXCEPT !.restarts = @ + 1]
  /\ UNCHANGED <<log, copied, looked, slaveLooked, decided, ends>>

SlaveIsElected ==
  /\ used.elections < MaxElections
  /\ log' = SubSeq(log, 1, copied)
  /\ looked' = slaveLooked
  /\ batch' = {}
  /\ used' = [used EXCEPT !.elections = @ + 1]
  /\ UNCHANGED <<copied, slaveLooked, decided, ends>>

Next ==
  \/ HalfArrives
  \/ \E i \in DOMAIN log, outcome \in {"Commit", "Rollback"} : HalfIsAnswered(i, outcome)
  \/ \E e \in ends : EndIsLost(e)
  \/ \E e \in ends : EndIsExecuted(e)
  \/ \E i \in batch : OpIsWritten(i)
  \/ \E i \in DOMAIN log : HalfIsPassed(i)
  \/ \E i \in DOMAIN log : HalfIsPutBack(i)
  \/ SlaveCopies
  \/ SlaveSynchronizes
  \/ MasterRestarts
  \/ SlaveIsElected

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* A local transaction was committed, its message is neither delivered nor ever checked again: it is lost.
CommittedIsKept ==
  \A t \in Transaction : decided[t] = "Commit" =>
    Finals(t) # {} \/ \E i \in DOMAIN log : looked < i /\ IsHalf(i) /\ log[i].tx = t

\* Consumers see a message whose local transaction was rolled back, or has not ended.
OnlyCommittedIsDelivered == \A t \in Transaction : Finals(t) # {} => decided[t] = "Commit"

\* A message is delivered twice, so an application that is not idempotent does its work twice.
DeliveredOnce == \A t \in Transaction : \A j \in Finals(t) : \A k \in Finals(t) : j = k

\* A message of a transaction is written that nobody asked for, or none though somebody did; a request to end it comes from nowhere, or a half message is passed over.
TransactionsChange ==
  [][LET elected == used'.elections # used.elections
         checked == used'.checks # used.checks
         goneEnds == ends \ ends'
         done    == { log[k].of : k \in { n \in DOMAIN log : log[n].kind = "Op" } }
     IN /\ used' # used =>
             /\ used'.transactions + used'.losses + used'.checks + used'.restarts + used'.elections
                  = used.transactions + used.losses + used.checks + used.restarts + used.elections + 1
             /\ used'.transactions <= MaxTransactions /\ used'.losses <= MaxLosses /\ used'.checks <= MaxChecks
             /\ used'.restarts <= MaxRestarts /\ used'.elections <= MaxElections
        /\ IF elected THEN log' = SubSeq(log, 1, copied) /\ looked' = slaveLooked ELSE SubSeq(log', 1, Len(log)) = log
        /\ elected \/ used'.restarts # used.restarts => batch' = {}
        /\ \A i \in (Len(log) + 1)..Len(log') :
             LET new == log'[i]
             IN CASE new.kind = "Half"  -> /\ IF checked THEN new.tx = log[looked'].tx /\ [tx |-> new.tx, at |-> i] \in ends'
                                              ELSE new.tx = used'.transactions /\ used'.transactions # used.transactions
                                           /\ new.of = 0
                  [] new.kind = "Final" -> /\ [tx |-> new.tx, at |-> new.of] \in goneEnds
                                           /\ decided[new.tx] = "Commit" /\ log[new.of].kind = "Half"
                  [] OTHER              -> new.of \in batch \ batch' /\ new.tx = log[new.of].tx
        /\ used'.transactions # used.transactions \/ checked => Len(log') > Len(log)
        /\ batch \ batch' # {} => Len(log') = Len(log) + 1 \/ elected \/ used'.restarts # used.restarts
        /\ \A i \in batch' \ batch : \E e \in goneEnds : e.at = i /\ IsHalf(i) /\ log[i].tx = e.tx
        /\ \A e \in goneEnds :
             \/ used'.losses = used.losses + 1
             \/ e.at > Len(log) \/ ~IsHalf(e.at) \/ log[e.at].tx # e.tx
             \/ e.at \in batch' /\ (decided[e.tx] = "Commit" <=> Len(log') > Len(log))
        /\ \A e \in ends' \ ends :
             /\ log'[e.at].kind = "Half" /\ log'[e.at].tx = e.tx
             /\ IF checked THEN decided[e.tx] # "None" ELSE decided[e.tx] = "None" /\ decided'[e.tx] # "None" /\ e.at <= copied
        /\ \A t \in Transaction : decided'[t] # decided[t] => \E e \in ends' \ ends : e.tx = t
        /\ looked' > looked => IsHalf(looked') /\ \A k \in (looked + 1)..(looked' - 1) : ~IsHalf(k)
        /\ looked' # looked /\ ~elected =>
             /\ looked' > looked
             /\ IF checked THEN looked' \notin done /\ looked' \notin batch /\ \A e \in ends : e.tx # log[looked'].tx
                ELSE looked' \in done /\ UNCHANGED log
        /\ checked => looked' # looked
        /\ used'.losses # used.losses => goneEnds # {}
        /\ copied' # copied => copied' = copied + 1
        /\ slaveLooked' # slaveLooked => slaveLooked' = looked /\ copied = Len(log)]_vars
==============================================================================
