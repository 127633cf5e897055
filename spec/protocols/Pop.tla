---------------------------------- MODULE Pop ----------------------------------
(***************************************************************************)
(* POP: the broker hands messages out itself, and remembers of each who    *)
(* was given it: a checkpoint. What is not acknowledged in time is revived *)
(* into a retry topic. With enablePopBufferMerge checkpoints and           *)
(* acknowledgements stay in the master's memory for a while, and are       *)
(* stored if they are not done by then; the group's offset goes over a     *)
(* message only when its checkpoint is stored or its acknowledgement there *)
(* (PopBufferMergeService).                                                *)
(*                                                                         *)
(* One queue, whose messages both brokers have; one log of checkpoints,    *)
(* acknowledgements and retries, of which the slave has a beginning. How   *)
(* far the group and the revival are, are consumers' offsets, which slaves *)
(* copy beside the log (Metadata). A message that was revived counts as a  *)
(* new one. Left out: time (that a message may be revived is a choice),    *)
(* acting masters, batches, orderly POP. Assumed: offsets are on the disk  *)
(* when a process ends.                                                    *)
(*                                                                         *)
(* Learned: the memory is lost without harm, what was in it is handed out  *)
(* again. An offset must not be ahead of the checkpoint that stands for    *)
(* it, on the slave neither (bugs/CheckpointNotCopied).                    *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  \* @type: Int;
  MaxMessages,
  \* @type: Set(CONSUMER);
  Consumer,
  \* enablePopBufferMerge
  \* @type: Bool;
  BufferMerge,
  \* Budgets: restarts of the process, elections of the slave, locks that expire.
  \* @type: Int;
  MaxRestarts,
  \* @type: Int;
  MaxElections,
  \* @type: Int;
  MaxExpired

VARIABLES
  \* Checkpoint, Ack or Retry, of which message.
  \* @type: Seq({ kind: Str, message: Int });
  log,
  \* So much of it the slave has.
  \* @type: Int;
  copied,
  \* The group's offset, and so much of the log the revival has seen; the slave's copies of both.
  \* @type: { group: Int, revived: Int };
  offsets,
  \* @type: { group: Int, revived: Int };
  slaveOffsets,
  \* In the master's memory: of each message that it has handed out, is the checkpoint stored, is it acknowledged?
  \* @type: Int -> { is: Bool, stored: Bool, acked: Bool };
  buffer,
  \* Messages that the revival has passed and not yet stored again.
  \* @type: Set(Int);
  reviving,
  \* Who is being given a message, 0 if nobody is, and who holds the lock.
  \* @type: CONSUMER -> Int;
  reading,
  \* @type: Set(CONSUMER);
  locked,
  \* What a consumer was given by this master and may handle.
  \* @type: CONSUMER -> Set(Int);
  given,
  \* @type: Set(Int);
  handled,
  \* @type: { restarts: Int, elections: Int, expired: Int };
  used

memory == <<buffer, reviving, reading, locked, given>>
vars   == <<log, copied, offsets, slaveOffsets, buffer, reviving, reading, locked, given, handled, used>>

Message == 1..MaxMessages
Empty   == [is |-> FALSE, stored |-> FALSE, acked |-> FALSE]

(* PopBufferMergeService.getLatestOffset, or the group's offset: the messages up to here are handed out. *)
HandedOut == { m \in Message : m <= offsets.group \/ buffer[m].is }
Position  == Cardinality(HandedOut)

TypeOK ==
  /\ \A i \in DOMAIN log : log[i].kind \in {"Checkpoint", "Ack", "Retry"} /\ log[i].message \in Message
  /\ copied \in 0..Len(log)
  /\ \A o \in {offsets, slaveOffsets} : o.group \in 0..MaxMessages /\ o.revived >= 0
  /\ buffer \in [Message -> [is : BOOLEAN, stored : BOOLEAN, acked : BOOLEAN]]
  /\ reading \in [Consumer -> 0..MaxMessages] /\ given \in [Consumer -> SUBSET Message]
  /\ locked \subseteq Consumer /\ handled \subseteq Message /\ reviving \subseteq Message

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* PopBufferMergeService.scanCommitOffset: may the group's offset go over a message that was handed out? *)
MayBeCommitted(m) == buffer[m].stored \/ buffer[m].acked

(* SlaveSynchronize.syncConsumerOffset: when may a slave copy the offsets? *)
OffsetsMayBeCopied == copied = Len(log)

(* QueueLockManager: is a queue given to one consumer at a time? *)
MayLock(c) == locked = {}

(* QueueLockManager.cleanUnusedLock: are locks dropped that somebody holds? *)
DropsHeldLocks == FALSE

(* PopReviveService: does it pass a checkpoint only with the message stored again? *)
RevivedAtOnce == TRUE

-----------------------------------------------------------------------------
Init ==
  /\ log = <<>>
  /\ copied = 0
  /\ offsets = [group |-> 0, revived |-> 0]
  /\ slaveOffsets = [group |-> 0, revived |-> 0]
  /\ buffer = [m \in Message |-> Empty]
  /\ reviving = {}
  /\ reading = [c \in Consumer |-> 0]
  /\ locked = {}
  /\ given = [c \in Consumer |-> {}]
  /\ handled = {}
  /\ used = [restarts |-> 0, elections |-> 0, expired |-> 0]

(* PopMessageProcessor.popMsgFromQueue: tryLock, then the message behind what was handed out. *)
PopBegins(c) ==
  /\ reading[c] = 0
  /\ MayLock(c)
  /\ Position < MaxMessages
  /\ reading' = [reading EXCEPT ![c] = Position + 1]
  /\ locked' = locked \cup {c}
  /\ UNCHANGED <<log, copied, offsets, slaveOffsets, buffer, reviving, given, handled, used>>

(* appendCheckPoint: PopBufferMergeService.addCk, or addCkJustOffset, which stores it; unLock. *)
PopEnds(c) ==
  LET m == reading[c]
  IN
  /\ m # 0
  /\ buffer' = [buffer EXCEPT ![m] = IF @.is THEN @ ELSE [is |-> TRUE, stored |-> ~BufferMerge, acked |-> FALSE]]
  /\ log' = IF BufferMerge \/ buffer[m].is THEN log ELSE Append(log, [kind |-> "Checkpoint", message |-> m])
  /\ given' = [given EXCEPT ![c] = @ \cup {m}]
  /\ reading' = [reading EXCEPT ![c] = 0]
  /\ locked' = locked \ {c}
  /\ UNCHANGED <<copied, offsets, slaveOffsets, reviving, handled, used>>

(* A lock that was taken a minute ago. *)
LockExpires(c) ==
  /\ DropsHeldLocks
  /\ used.expired < MaxExpired
  /\ c \in locked
  /\ locked' = locked \ {c}
  /\ used' = [used EXCEPT !.expired = @ + 1]
  /\ UNCHANGED <<log, copied, offsets, slaveOffsets, buffer, reviving, reading, given, handled>>

(* AckMessageProcessor: addAk marks it in the buffer, or the acknowledgement is stored. *)
ConsumerAcks(c, m) ==
  /\ m \in given[c]
  /\ handled' = handled \cup {m}
  /\ given' = [given EXCEPT ![c] = @ \ {m}]
  /\ IF buffer[m].is /\ ~buffer[m].stored
     THEN buffer' = [buffer EXCEPT ![m].acked = TRUE] /\ log' = log
     ELSE log' = Append(log, [kind |-> "Ack", message |-> m]) /\ buffer' = buffer
  /\ UNCHANGED <<copied, offsets, slaveOffsets, reviving, reading, locked, used>>

(* PopBufferMergeService.scan, putCkToStore: it has stayed too long, and is not acknowledged. *)
CheckpointIsStored(m) ==
  /\ buffer[m].is /\ ~buffer[m].stored /\ ~buffer[m].acked
  /\ log' = Append(log, [kind |-> "Checkpoint", message |-> m])
  /\ buffer' = [buffer EXCEPT ![m].stored = TRUE]
  /\ UNCHANGED <<copied, offsets, slaveOffsets, reviving, reading, locked, given, handled, used>>

(* PopBufferMergeService.scanCommitOffset, in the order of the queue. *)
OffsetIsCommitted ==
  LET m == offsets.group + 1
  IN
  /\ m \in Message
  /\ buffer[m].is /\ MayBeCommitted(m)
  /\ offsets' = [offsets EXCEPT !.group = m]
  /\ buffer' = [buffer EXCEPT ![m] = IF @.stored \/ @.acked THEN Empty ELSE @]
  /\ UNCHANGED <<log, copied, slaveOffsets, reviving, reading, locked, given, handled, used>>

(* PopReviveService.consumeReviveMessage, mergeAndRevive: the time of a checkpoint is over; acknowledgements that are
   there by then have done it. *)
RevivalPasses ==
  LET i == offsets.revived + 1
      m == log[i].message
      due == log[i].kind = "Checkpoint" /\ \A k \in i..Len(log) : log[k] # [kind |-> "Ack", message |-> m]
  IN
  /\ i <= Len(log)
  /\ offsets' = [offsets EXCEPT !.revived = i]
  /\ log' = IF due /\ RevivedAtOnce THEN Append(log, [kind |-> "Retry", message |-> m]) ELSE log
  /\ reviving' = IF due /\ ~RevivedAtOnce THEN reviving \cup {m} ELSE reviving
  /\ given' = IF due THEN [c \in Consumer |-> given[c] \ {m}] ELSE given
  /\ UNCHANGED <<copied, slaveOffsets, buffer, reading, locked, handled, used>>

(* PopReviveService.reviveRetry, where it comes later. *)
RetryIsStored(m) ==
  /\ m \in reviving
  /\ reviving' = reviving \ {m}
  /\ log' = Append(log, [kind |-> "Retry", message |-> m])
  /\ UNCHANGED <<copied, offsets, slaveOffsets, buffer, reading, locked, given, handled, used>>

SlaveCopies ==
  /\ copied < Len(log)
  /\ copied' = copied + 1
  /\ UNCHANGED <<log, offsets, slaveOffsets, memory, handled, used>>

SlaveSynchronizes ==
  /\ slaveOffsets # offsets
  /\ OffsetsMayBeCopied
  /\ slaveOffsets' = offsets
  /\ UNCHANGED <<log, copied, offsets, memory, handled, used>>

(* What is in memory is gone: PopBufferMergeService clears its buffer on a slave, too. *)
Forgets ==
  /\ buffer' = [m \in Message |-> Empty]
  /\ reviving' = {}
  /\ reading' = [c \in Consumer |-> 0]
  /\ locked' = {}
  /\ given' = [c \in Consumer |-> {}]

MasterRestarts ==
  /\ used.restarts < MaxRestarts
  /\ Forgets
  /\ used' = [used EXCEPT !.restarts = @ + 1]
  /\ UNCHANGED <<log, copied, offsets, slaveOffsets, handled>>

SlaveIsElected ==
  /\ used.elections < MaxElections
  /\ Forgets
  /\ log' = SubSeq(log, 1, copied)
  /\ offsets' = slaveOffsets
  /\ used' = [used EXCEPT !.elections = @ + 1]
  /\ UNCHANGED <<copied, slaveOffsets, handled>>

Next ==
  \/ \E c \in Consumer : PopBegins(c)
  \/ \E c \in Consumer : PopEnds(c)
  \/ \E c \in Consumer : LockExpires(c)
  \/ \E c \in Consumer, m \in Message : ConsumerAcks(c, m)
  \/ \E m \in Message : CheckpointIsStored(m)
  \/ OffsetIsCommitted
  \/ RevivalPasses
  \/ \E m \in reviving : RetryIsStored(m)
  \/ SlaveCopies
  \/ SlaveSynchronizes
  \/ MasterRestarts
  \/ SlaveIsElected

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
Comes(m) ==
  \/ m \notin HandedOut \/ buffer[m].is \/ m \in reviving
  \/ \E i \in DOMAIN log : log[i].message = m /\ (log[i].kind = "Retry" \/ (log[i].kind = "Checkpoint" /\ i > offsets.revived))

\* A message is neither handled nor ever handed out again: it is invisible for ever.
NeverForgotten == \A m \in Message : m \in handled \/ Comes(m)

\* Two consumers of a group were given one message, while neither was too slow.
GivenToOne == \A c \in Consumer : \A d \in Consumer : c # d => given[c] \cap given[d] = {}

\* A message is handed out that is not the next one, or to one who did not ask; memory, a lock or an offset says of it what did not happen; or what is lost is more or less than memory.
PopChanges ==
  [][LET elected == used'.elections # used.elections
         lost    == elected \/ used'.restarts # used.restarts
     IN /\ used' # used =>
             /\ used'.restarts + used'.elections + used'.expired = used.restarts + used.elections + used.expired + 1
             /\ used'.restarts <= MaxRestarts /\ used'.elections <= MaxElections /\ used'.expired <= MaxExpired
        /\ lost => /\ \A m \in Message : ~buffer'[m].is
                   /\ \A c \in Consumer : reading'[c] = 0 /\ given'[c] = {}
                   /\ locked' = {} /\ reviving' = {}
        /\ \A c \in Consumer :
             /\ reading[c] = 0 /\ reading'[c] # 0 =>
                  /\ locked = {} /\ locked' = {c}
                  /\ reading'[c] > offsets.group /\ ~buffer[reading'[c]].is
                  /\ \A m \in 1..(reading'[c] - 1) : m <= offsets.group \/ buffer[m].is
             /\ reading[c] # 0 /\ reading'[c] # reading[c] => reading'[c] = 0 /\ (reading[c] \in given'[c] \/ lost)
             /\ c \in locked' \ locked => reading[c] = 0 /\ reading'[c] # 0
             /\ reading[c] # 0 /\ reading'[c] = 0 => c \notin locked'
             /\ c \in locked \ locked' => reading'[c] = 0 \/ used'.expired = used.expired + 1
             /\ given'[c] \ given[c] # {} => given'[c] = given[c] \cup {reading[c]} /\ reading'[c] = 0
             /\ \A m \in given[c] \ given'[c] : m \in handled' \/ offsets'.revived = offsets.revived + 1 \/ lost
        /\ \A m \in Message :
             LET old == buffer[m]
                 new == buffer'[m]
             IN \/ new = old \/ lost
                \/ ~old.is /\ new = [is |-> TRUE, stored |-> ~BufferMerge, acked |-> FALSE]
                   /\ \E c \in Consumer : reading[c] = m /\ reading'[c] = 0
                \/ new = [old EXCEPT !.stored = TRUE] /\ old.is /\ ~old.acked /\ Len(log') > Len(log)
                \/ new = [old EXCEPT !.acked = TRUE] /\ old.is /\ ~old.stored /\ UNCHANGED log
                   /\ \E c \in Consumer : m \in given[c] \ given'[c]
                \/ ~new.is /\ (old.stored \/ old.acked) /\ offsets'.group = m /\ offsets.group = m - 1
        /\ \A m \in handled' \ handled : \E c \in Consumer : m \in given[c] \ given'[c]
        /\ offsets' # offsets =>
             \/ elected /\ offsets' = slaveOffsets
             \/ offsets' = [offsets EXCEPT !.group = @ + 1] /\ buffer[offsets'.group].is /\ ~buffer'[offsets'.group].is
             \/ offsets' = [offsets EXCEPT !.revived = @ + 1] /\ offsets'.revived <= Len(log)
        /\ slaveOffsets' # slaveOffsets => slaveOffsets' = offsets /\ copied = Len(log)]_vars

\* The log of checkpoints, acknowledgements and retries has an entry for what did not happen, has none for what did, or loses what the slave has.
PopLogChanges ==
  [][/\ used'.elections # used.elections => log' = SubSeq(log, 1, copied)
     /\ Len(log') < Len(log) => used'.elections # used.elections
     /\ copied' # copied => copied' = copied + 1 /\ UNCHANGED log
     /\ log' # log /\ Len(log') >= Len(log) =>
          LET last == log'[Len(log')]
              m    == last.message
          IN /\ log' = Append(log, last)
             /\ CASE last.kind = "Checkpoint" -> buffer'[m].stored /\ ~buffer[m].stored
                  [] last.kind = "Ack"        -> /\ \E c \in Consumer : m \in given[c] \ given'[c]
                                                 /\ ~buffer[m].is \/ buffer[m].stored
                  [] OTHER                    -> \/ m \in reviving \ reviving'
                                                 \/ /\ offsets'.revived > offsets.revived /\ RevivedAtOnce
                                                    /\ log[offsets'.revived] = [kind |-> "Checkpoint", message |-> m]
     /\ \A c \in Consumer : \A m \in given[c] \ given'[c] :
          m \in handled' /\ UNCHANGED offsets => buffer'[m].acked \/ log' # log \/ used' # used
     /\ offsets'.revived = offsets.revived + 1 /\ used' = used =>
          LET i   == offsets'.revived
              m   == log[i].message
              due == log[i].kind = "Checkpoint" /\ ~\E k \in i..Len(log) : log[k] = [kind |-> "Ack", message |-> m]
          IN /\ RevivedAtOnce => UNCHANGED reviving
             /\ due /\ RevivedAtOnce <=> log' # log
             /\ \A c \in Consumer : given'[c] = (IF due THEN given[c] \ {m} ELSE given[c])]_vars
==============================================================================
