---------------------------- MODULE ConsumeQueues -----------------------------
(***************************************************************************)
(* The index that consumers read through: of each message in the log the   *)
(* consume queue has a unit, in the order of queue offsets. A message gets *)
(* its queue offset when it is put, from the master's table; a slave takes *)
(* it with the bytes. The dispatch builds units up to the confirmOffset.   *)
(* A broker that becomes master has to know the next queue offset, so it   *)
(* waits for the dispatch, and looks at what is not confirmed yet.         *)
(*                                                                         *)
(* One broker, one queue, every message in the log is of it; a file of the *)
(* queue holds one unit (the Java: 300,000). Another broker is master      *)
(* while this one is not, and has all that it needs. Left out: epochs, who *)
(* is elected (ControllerMode); that what consumers have read is never cut *)
(* is assumed, ControllerMode says when (ConsumedStable).                  *)
(*                                                                         *)
(* Learned: waiting is half of it. What is beyond the confirmOffset is in  *)
(* no queue when the wait ends (bugs/Issue7689). A queue of which all      *)
(* files are deleted must still know where it was (bugs/Issue10417,        *)
(* bugs/InsufficientReset).                                                *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
  \* Budgets: messages, promotions, cuts of the log, messages deleted at its beginning.
  \* @type: Int;
  MaxMessages,
  \* @type: Int;
  MaxReigns,
  \* @type: Int;
  MaxCuts,
  \* @type: Int;
  MaxExpired

VARIABLES
  \* Master; Restarted (it was master when its process ended); Slave; Elected (waits for the dispatch).
  \* @type: Str;
  role,
  \* Of each message its queue offset, and has a consumer read it? The first `head` of them are deleted.
  \* @type: Seq({ at: Int, read: Bool });
  log,
  \* @type: Int;
  head,
  \* @type: Int;
  confirm,
  \* reputFromOffset: so many messages are dispatched.
  \* @type: Int;
  reput,
  \* The files: the queue offset of the first unit, what each points to, and the minimum that is told (minLogicOffset).
  \* @type: { first: Int, units: Seq(Int), min: Int };
  queue,
  \* topicQueueTable: the queue offset of the next message that is put.
  \* @type: Int;
  next,
  \* A consumer's offset.
  \* @type: Int;
  consumer,
  \* @type: { messages: Int, reigns: Int, cuts: Int };
  used

vars == <<role, log, head, confirm, reput, queue, next, consumer, used>>

\* getMaxOffsetInQueue
QueueMax == queue.first + Len(queue.units)

Larger(x, y)  == IF x >= y THEN x ELSE y
Smaller(x, y) == IF x <= y THEN x ELSE y

TypeOK ==
  /\ role \in {"Master", "Restarted", "Slave", "Elected"}
  /\ Len(log) <= MaxMessages /\ \A i \in DOMAIN log : log[i].at \in 0..MaxMessages
  /\ 0 <= head /\ head <= reput /\ reput <= confirm /\ confirm <= Len(log)
  /\ queue.first \in 0..MaxMessages /\ queue.min \in 0..MaxMessages
  /\ \A k \in DOMAIN queue.units : queue.units[k] \in 1..Len(log)
  /\ next \in 0..(MaxMessages + 1) /\ consumer \in 0..MaxMessages
  /\ used.messages \in 0..MaxMessages /\ used.reigns \in 0..MaxReigns /\ used.cuts \in 0..MaxCuts

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* AutoSwitchHAService.changeToMaster: does a new master wait until dispatchBehindBytes is 0? *)
WaitsForDispatch == TRUE

(* ConsumeQueueStore.recoverOffsetTable with compensateForHA: the next queue offset, from the queue or from what is not
   confirmed. *)
NextRecovered == IF confirm < Len(log) THEN log[Len(log)].at + 1 ELSE QueueMax

(* The same for a master that is elected again: its table stays. *)
NextElectedAgain == next

(* ConsumeQueue.truncateDirtyLogicFiles: a queue that lost all of its files. It goes on where it was cut. *)
EmptyQueue(cut, min) == [first |-> cut, units |-> <<>>, min |-> Smaller(min, cut)]

-----------------------------------------------------------------------------
(* A master with one message, which is dispatched. *)
Init ==
  /\ role = "Master"
  /\ log = <<[at |-> 0, read |-> FALSE]>>
  /\ head = 0
  /\ confirm = 1
  /\ reput = 1
  /\ queue = [first |-> 0, units |-> <<1>>, min |-> 0]
  /\ next = 1
  /\ consumer = 0
  /\ used = [messages |-> 1, reigns |-> 0, cuts |-> 0]

Appended(at) ==
  /\ used.messages < MaxMessages
  /\ log' = Append(log, [at |-> at, read |-> FALSE])
  /\ used' = [used EXCEPT !.messages = @ + 1]
  /\ UNCHANGED <<role, head, confirm, reput, queue, consumer>>

(* The master's bytes bring the queue offset. *)
SlaveCopies ==
  /\ role = "Slave"
  /\ Appended(IF log = <<>> THEN 0 ELSE log[Len(log)].at + 1)
  /\ UNCHANGED next

(* CommitLog.asyncPutMessage: assignOffset, increaseOffset *)
MasterPuts ==
  /\ role = "Master"
  /\ Appended(next)
  /\ next' = next + 1

ConfirmOffsetRises ==
  /\ confirm < Len(log)
  /\ confirm' = confirm + 1
  /\ UNCHANGED <<role, log, head, reput, queue, next, consumer, used>>

(* ConsumeQueue.putMessagePositionInfo. A queue offset that is there already is passed over, except 0; one that is too
   large is taken as the next. The first file begins where its first message says. *)
With(i, at) ==
  IF queue.units = <<>> THEN [first |-> at, units |-> <<i>>, min |-> IF at = 0 THEN queue.min ELSE at]
  ELSE IF at # 0 /\ at < QueueMax THEN queue
  ELSE [queue EXCEPT !.units = Append(@, i)]

(* ReputMessageService.doReput *)
MessageIsDispatched ==
  /\ reput < confirm
  /\ reput' = reput + 1
  /\ queue' = With(reput + 1, log[reput + 1].at)
  /\ UNCHANGED <<role, log, head, confirm, next, consumer, used>>

ConsumerReads ==
  LET at == Larger(consumer, queue.min)
      i == queue.units[at - queue.first + 1]
  IN
  /\ queue.first <= at /\ at < QueueMax
  /\ log' = [log EXCEPT ![i].read = TRUE]
  /\ consumer' = at + 1
  /\ UNCHANGED <<role, head, confirm, reput, queue, next, used>>

(* DefaultMessageStore.truncateDirtyFiles, in the handshake of a slave: the queue, the log, the dispatch. *)
LogIsCut(n) ==
  LET kept == SelectSeq(queue.units, LAMBDA i : i <= n)
  IN
  /\ role = "Slave"
  /\ used.cuts < MaxCuts
  /\ head <= n /\ n < Len(log)
  /\ \A i \in (n + 1)..Len(log) : ~log[i].read
  /\ log' = SubSeq(log, 1, n)
  /\ confirm' = Smaller(confirm, n)
  /\ reput' = Smaller(reput, n)
  /\ queue' = IF kept = <<>> THEN (IF queue.units = <<>> THEN queue ELSE EmptyQueue(queue.first, queue.min))
              ELSE [queue EXCEPT !.units = kept]
  /\ used' = [used EXCEPT !.cuts = @ + 1]
  /\ UNCHANGED <<role, head, next, consumer>>

(* The log's first file is deleted, then the queue's, but for its last; ConsumeQueue.correctMinOffset. *)
MessageExpires ==
  LET gone == IF queue.units # <<>> /\ queue.units[1] = head + 1 THEN 1 ELSE 0
      files == IF Len(queue.units) > 1 THEN gone ELSE 0
  IN
  /\ head < MaxExpired
  /\ head < reput
  /\ head' = head + 1
  /\ queue' = [first |-> queue.first + files, units |-> SubSeq(queue.units, files + 1, Len(queue.units)),
               min |-> Larger(queue.min, queue.first + gone)]
  /\ UNCHANGED <<role, log, confirm, reput, next, consumer, used>>

(* ReplicasManager.changeToMaster: who is elected is alone in the SyncStateSet, and everything is confirmed; who comes back
   as the master that it was may have others beside it, and keeps the confirmOffset of its checkpoint
   (AutoSwitchHAService.computeConfirmOffset). *)
BrokerIsElected(alone) ==
  /\ role \in {"Slave", "Restarted"}
  /\ alone \/ role = "Restarted"
  /\ used.reigns < MaxReigns
  /\ role' = "Elected"
  /\ confirm' = IF alone THEN Len(log) ELSE confirm
  /\ used' = [used EXCEPT !.reigns = @ + 1]
  /\ UNCHANGED <<log, head, reput, queue, next, consumer>>

(* The end of AutoSwitchHAService.changeToMaster: recoverTopicQueueTable, then puts are taken. *)
MasterOpens ==
  /\ role = "Elected"
  /\ WaitsForDispatch => reput >= confirm
  /\ role' = "Master"
  /\ next' = NextRecovered
  /\ UNCHANGED <<log, head, confirm, reput, queue, consumer, used>>

(* AutoSwitchHAService.changeToMasterWhenLastRoleIsMaster: puts go on. *)
MasterIsElectedAgain ==
  /\ role = "Master"
  /\ used.reigns < MaxReigns
  /\ reput >= confirm
  /\ next' = NextElectedAgain
  /\ used' = [used EXCEPT !.reigns = @ + 1]
  /\ UNCHANGED <<role, log, head, confirm, reput, queue, consumer>>

(* The queue's files are on the disk. *)
MasterRestarts ==
  /\ role = "Master"
  /\ role' = "Restarted"
  /\ next' = 0
  /\ UNCHANGED <<log, head, confirm, reput, queue, consumer, used>>

BrokerBecomesSlave ==
  /\ role \in {"Master", "Restarted"}
  /\ role' = "Slave"
  /\ next' = 0
  /\ UNCHANGED <<log, head, confirm, reput, queue, consumer, used>>

Next ==
  \/ SlaveCopies
  \/ MasterPuts
  \/ ConfirmOffsetRises
  \/ MessageIsDispatched
  \/ ConsumerReads
  \/ \E n \in 0..MaxMessages : LogIsCut(n)
  \/ MessageExpires
  \/ \E alone \in BOOLEAN : BrokerIsElected(alone)
  \/ MasterOpens
  \/ MasterIsElectedAgain
  \/ MasterRestarts
  \/ BrokerBecomesSlave

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* Two messages of one queue have one queue offset, so consumers find only one of them.
QueueOffsetUnique == \A i \in DOMAIN log : \A j \in DOMAIN log : head < i /\ i < j => log[i].at # log[j].at

\* A message that was dispatched is not in its queue, so no consumer finds it.
DispatchedIsFound == \A i \in (head + 1)..reput : \E k \in DOMAIN queue.units : queue.units[k] = i

\* A queue begins behind its end, so consumers ask for what is not there.
MinNotAboveMax == queue.min <= QueueMax

\* A message has a queue offset that a consumer was beyond before the message came, so it is never consumed.
NonePassedOver == \A i \in (head + 1)..Len(log) : log[i].at < consumer => log[i].read

\* A broker takes a role out of its turn, or the log, the confirmOffset, the dispatch or a queue moves otherwise than by what the role does.
ConsumeQueuesChange ==
  [][LET first == queue.first
         cut   == used'.cuts # used.cuts
         puts  == used'.messages # used.messages
         isFirst == queue.units # <<>> /\ queue.units[1] = head'
         told  == IF isFirst THEN first + 1 ELSE first
     IN /\ role' # role =>
             /\ <<role, role'>> \in {<<"Master", "Restarted">>, <<"Master", "Slave">>, <<"Restarted", "Slave">>,
                                     <<"Restarted", "Elected">>, <<"Slave", "Elected">>, <<"Elected", "Master">>}
             /\ role' = "Elected" <=> used'.reigns # used.reigns
             /\ role = "Slave" => confirm' = Len(log)
             /\ role' = "Master" => reput >= confirm
        /\ next' = (IF role' \in {"Restarted", "Slave"} THEN 0
                    ELSE IF puts THEN next + 1 ELSE IF role = "Elected" /\ role' = "Master" THEN next' ELSE next)
        /\ used'.reigns # used.reigns =>
             used'.reigns = used.reigns + 1 /\ role' \in {"Elected", "Master"} /\ (role = "Master" => reput >= confirm)
        /\ puts => /\ used'.messages = used.messages + 1
                   /\ \E at \in 0..MaxMessages : log' = Append(log, [at |-> at, read |-> FALSE])
                   /\ IF role = "Master" THEN log'[Len(log')].at = next
                      ELSE role = "Slave" /\ log'[Len(log')].at = (IF log = <<>> THEN 0 ELSE log[Len(log)].at + 1)
        /\ cut => /\ role = "Slave" /\ used'.cuts = used.cuts + 1
                  /\ log' = SubSeq(log, 1, Len(log')) /\ Len(log') < Len(log) /\ Len(log') >= head
                  /\ \A i \in (Len(log') + 1)..Len(log) : ~log[i].read
                  /\ confirm' = Smaller(confirm, Len(log')) /\ reput' = Smaller(reput, Len(log'))
                  /\ queue'.units = SelectSeq(queue.units, LAMBDA i : i <= Len(log')) /\ queue'.first = first
        /\ log' # log /\ ~puts /\ ~cut =>
             /\ consumer' > consumer /\ first <= consumer' - 1 /\ consumer' <= QueueMax
             /\ log' = [log EXCEPT ![queue.units[consumer' - first]].read = TRUE]
        /\ consumer' # consumer => /\ consumer' = (IF consumer >= queue.min THEN consumer + 1 ELSE queue.min + 1)
                                   /\ UNCHANGED <<queue, role>> /\ log'[queue.units[consumer' - first]].read
        /\ confirm' # confirm /\ ~cut => confirm' = confirm + 1 \/ (role' = "Elected" /\ role # role' /\ confirm' = Len(log))
        /\ reput' # reput /\ ~cut => reput' = reput + 1 /\ reput' <= confirm
        /\ head' # head => /\ head' = head + 1 /\ head' <= MaxExpired /\ head' <= reput
                           /\ queue' = [units |-> IF isFirst /\ Len(queue.units) > 1 THEN Tail(queue.units) ELSE queue.units,
                                        first |-> IF isFirst /\ Len(queue.units) > 1 THEN first + 1 ELSE first,
                                        min   |-> IF told > queue.min THEN told ELSE queue.min]
        /\ queue' # queue /\ ~cut => head' # head \/ (reput' # reput /\ queue'.units = Append(queue.units, reput'))
        /\ queue'.min # queue.min => cut \/ queue'.min > queue.min]_vars
==============================================================================
