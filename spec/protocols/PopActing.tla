------------------------------- MODULE PopActing -------------------------------
(***************************************************************************)
(* POP while a slave acts for its master. The slave hands messages out and *)
(* revives what is not acknowledged, but its log takes no puts: a          *)
(* checkpoint, an acknowledgement, a message that is handed out again      *)
(* escape to another broker set, to the queue that the route gives at that *)
(* moment (EscapeBridge.putMessageToSpecificQueue; enableRemoteEscape). So *)
(* a checkpoint and its acknowledgement may be kept apart by a change of   *)
(* the route: then a message that was handled is handed out once more,     *)
(* which at least once allows. A master that returns has the offsets of    *)
(* the slave (SlaveActingMaster).                                          *)
(*                                                                         *)
(* Other sets revive what they took: each is Pop. The slave has the whole  *)
(* log when it begins to act; what it may lack is in Pop. Left out: time,  *)
(* several slaves, a master in the same process (Containers), what an      *)
(* acting slave still holds in memory when its master is back.             *)
(*                                                                         *)
(* Learned: who cannot store a message again must not go over its          *)
(* checkpoint (bugs/CheckpointPassedOver).                                 *)
(***************************************************************************)
EXTENDS Pop

CONSTANTS
  \* enableRemoteEscape
  \* @type: Bool;
  RemoteEscape,
  \* Queues of other broker sets.
  \* @type: Set(Int);
  Queue,
  \* Budgets: absences of the master, changes of the route.
  \* @type: Int;
  MaxAway,
  \* @type: Int;
  MaxRoutes

VARIABLES
  \* Is the master away, so that the slave acts?
  \* @type: Bool;
  away,
  \* The queues that the acting slave's route has.
  \* @type: Set(Int);
  route,
  \* What escaped, by queue.
  \* @type: Int -> Set({ kind: Str, message: Int });
  elsewhere,
  \* @type: { away: Int, routes: Int };
  spent

acting == <<away, route, elsewhere, spent>>

(* Does another set take what escapes, and in which queue? A hash of topic and host modulo the number of queues: as long
   as the route is the same, so is the queue. *)
CanEscape == RemoteEscape /\ route # {}
Target    == CHOOSE q \in route : \A r \in route : q <= r

Escaped(kind, m) ==
  IF CanEscape THEN [elsewhere EXCEPT ![Target] = @ \cup {[kind |-> kind, message |-> m]}] ELSE elsewhere

TypeOKWithActing ==
  /\ TypeOK
  /\ away \in BOOLEAN
  /\ route \subseteq Queue
  /\ elsewhere \in [Queue -> SUBSET [kind : {"Checkpoint", "Ack", "Retry"}, message : Message]]
  /\ spent.away \in 0..MaxAway /\ spent.routes \in 0..MaxRoutes

-----------------------------------------------------------------------------
(* A rule that a .cfg may replace *)

(* PopReviveService.mergeAndRevive: may an acting slave go over a checkpoint whose time is over? Repaired: when the
   message is stored again. *)
MayPassOver == CanEscape

-----------------------------------------------------------------------------
InitWithActing ==
  /\ Init
  /\ away = FALSE
  /\ route = Queue
  /\ elsewhere = [q \in Queue |-> {}]
  /\ spent = [away |-> 0, routes |-> 0]

(* BrokerController.onMinBrokerChange, changeSpecialServiceStatus: POP's revival runs on the slave. *)
MasterGoesAway ==
  /\ ~away
  /\ spent.away < MaxAway
  /\ copied = Len(log)
  /\ Forgets
  /\ offsets' = slaveOffsets
  /\ away' = TRUE
  /\ spent' = [spent EXCEPT !.away = @ + 1]
  /\ UNCHANGED <<log, copied, slaveOffsets, handled, used, route, elsewhere>>

(* BrokerPreOnlineService.syncMetadataReverse: all offsets of the slave, those of the revival, too. *)
MasterReturns ==
  /\ away
  /\ Forgets
  /\ slaveOffsets' = offsets
  /\ away' = FALSE
  /\ UNCHANGED <<log, copied, offsets, handled, used, route, elsewhere, spent>>

(* Other masters go, or come back. *)
RouteChanges(r) ==
  /\ away
  /\ spent.routes < MaxRoutes
  /\ route # r
  /\ route' = r
  /\ spent' = [spent EXCEPT !.routes = @ + 1]
  /\ UNCHANGED <<log, copied, offsets, slaveOffsets, memory, handled, used, away, elsewhere>>

(* As PopEnds. A checkpoint that does not get away stays in memory. *)
ActingPopEnds(c) ==
  LET m      == reading[c]
      stores == ~BufferMerge /\ CanEscape /\ ~buffer[m].is
  IN
  /\ away
  /\ m # 0
  /\ buffer' = [buffer EXCEPT ![m] = IF @.is THEN @ ELSE [is |-> TRUE, stored |-> stores, acked |-> FALSE]]
  /\ elsewhere' = IF stores THEN Escaped("Checkpoint", m) ELSE elsewhere
  /\ given' = [given EXCEPT ![c] = @ \cup {m}]
  /\ reading' = [reading EXCEPT ![c] = 0]
  /\ locked' = locked \ {c}
  /\ UNCHANGED <<log, copied, offsets, slaveOffsets, reviving, handled, used, away, route, spent>>

(* As ConsumerAcks. An acknowledgement that does not get away is gone. *)
ActingAcks(c, m) ==
  LET marks == buffer[m].is /\ ~buffer[m].stored
  IN
  /\ away
  /\ m \in given[c]
  /\ handled' = handled \cup {m}
  /\ given' = [given EXCEPT ![c] = @ \ {m}]
  /\ buffer' = IF marks THEN [buffer EXCEPT ![m].acked = TRUE] ELSE buffer
  /\ elsewhere' = IF marks THEN elsewhere ELSE Escaped("Ack", m)
  /\ UNCHANGED <<log, copied, offsets, slaveOffsets, reviving, reading, locked, used, away, route, spent>>

(* As CheckpointIsStored. *)
CheckpointEscapes(m) ==
  /\ away
  /\ CanEscape
  /\ buffer[m].is /\ ~buffer[m].stored /\ ~buffer[m].acked
  /\ elsewhere' = Escaped("Checkpoint", m)
  /\ buffer' = [buffer EXCEPT ![m].stored = TRUE]
  /\ UNCHANGED <<log, copied, offsets, slaveOffsets, reviving, reading, locked, given, handled, used, away, route, spent>>

(* As RevivalPasses. Acknowledgements that escaped are not in this log. *)
ActingRevivalPasses ==
  LET i   == offsets.revived + 1
      m   == log[i].message
      due == log[i].kind = "Checkpoint" /\ \A k \in i..Len(log) : log[k] # [kind |-> "Ack", message |-> m]
  IN
  /\ away
  /\ i <= Len(log)
  /\ due => MayPassOver
  /\ offsets' = [offsets EXCEPT !.revived = i]
  /\ elsewhere' = IF due THEN Escaped("Retry", m) ELSE elsewhere
  /\ given' = IF due THEN [c \in Consumer |-> given[c] \ {m}] ELSE given
  /\ UNCHANGED <<log, copied, slaveOffsets, buffer, reviving, reading, locked, handled, used, away, route, spent>>

NextWithActing ==
  \/ ~away /\ Next /\ UNCHANGED acting
  \/ \E c \in Consumer : away /\ PopBegins(c) /\ UNCHANGED acting
  \/ away /\ OffsetIsCommitted /\ UNCHANGED acting
  \/ away /\ MasterRestarts /\ UNCHANGED acting
  \/ MasterGoesAway
  \/ MasterReturns
  \/ \E r \in SUBSET Queue : RouteChanges(r)
  \/ \E c \in Consumer : ActingPopEnds(c)
  \/ \E c \in Consumer, m \in Message : ActingAcks(c, m)
  \/ \E m \in Message : CheckpointEscapes(m)
  \/ ActingRevivalPasses

SpecWithActing == InitWithActing /\ [][NextWithActing]_<<vars, acting>>

-----------------------------------------------------------------------------
\* A message is neither handled nor ever handed out again, by its own set or by another: it is invisible for ever.
ForgottenNowhere ==
  \A m \in Message :
    m \in handled \/ Comes(m) \/ \E q \in Queue : \E r \in elsewhere[q] : r.message = m /\ r.kind # "Ack"

\* An acting slave writes to its own log, what escapes did not happen or goes to another queue than the route's, or memory and offsets change otherwise.
ActingChanges ==
  [][LET turns      == away' # away
         comes(q)   == elsewhere'[q] \ elsewhere[q]
         passes     == offsets'.revived # offsets.revived /\ ~turns
         at         == log[offsets.revived + 1]
         isOver(m)  == at = [kind |-> "Checkpoint", message |-> m]
                       /\ ~\E k \in (offsets.revived + 1)..Len(log) : log[k] = [kind |-> "Ack", message |-> m]
     IN /\ turns =>
             /\ IF away' THEN spent'.away = spent.away + 1 /\ copied = Len(log) /\ offsets' = slaveOffsets
                ELSE slaveOffsets' = offsets /\ UNCHANGED offsets
             /\ UNCHANGED <<log, copied, elsewhere, handled>>
             /\ \A m \in Message : ~buffer'[m].is
             /\ \A c \in Consumer : reading'[c] = 0 /\ given'[c] = {}
             /\ locked' = {}
        /\ spent' # spent => spent'.away + spent'.routes = spent.away + spent.routes + 1
        /\ spent'.away # spent.away => turns
        /\ spent'.away <= MaxAway /\ spent'.routes <= MaxRoutes
        /\ route' # route <=> spent'.routes # spent.routes
        /\ route' # route => away /\ UNCHANGED <<vars, away, elsewhere>>
        /\ ~away => UNCHANGED elsewhere
        /\ away /\ ~turns => UNCHANGED <<log, copied, slaveOffsets>>
        /\ \A q \in Queue : elsewhere[q] \subseteq elsewhere'[q]
        /\ \A q \in Queue : \A r \in comes(q) :
             LET m == r.message
             IN /\ RemoteEscape /\ q \in route /\ \A other \in route : q <= other
                /\ CASE r.kind = "Checkpoint" -> buffer'[m].stored /\ ~buffer[m].stored
                     [] r.kind = "Ack"        -> /\ \E c \in Consumer : m \in given[c] \ given'[c]
                                                 /\ buffer[m].is => buffer[m].stored
                     [] OTHER                 -> passes /\ isOver(m)
        /\ away /\ passes =>
             /\ offsets' = [offsets EXCEPT !.revived = @ + 1] /\ UNCHANGED <<buffer, reading, locked, handled>>
             /\ isOver(at.message) => \E q \in route : [kind |-> "Retry", message |-> at.message] \in elsewhere'[q]
             /\ \A c \in Consumer : given'[c] = (IF isOver(at.message) THEN given[c] \ {at.message} ELSE given[c])
        /\ away /\ ~turns => \A m \in Message :
             LET old == buffer[m]
                 new == buffer'[m]
             IN \/ new = old
                \/ ~old.is /\ new = [is |-> TRUE, stored |-> new.stored, acked |-> FALSE]
                   /\ \E c \in Consumer : reading[c] = m /\ reading'[c] = 0
                   /\ (new.stored <=> ~BufferMerge /\ RemoteEscape /\ route # {})
                \/ new = [old EXCEPT !.stored = TRUE] /\ old.is /\ ~old.acked /\ RemoteEscape
                   /\ \E q \in route : [kind |-> "Checkpoint", message |-> m] \in elsewhere'[q]
                \/ new = [old EXCEPT !.acked = TRUE] /\ old.is /\ ~old.stored /\ UNCHANGED elsewhere
                   /\ \E c \in Consumer : m \in given[c] \ given'[c]
                \/ ~new.is /\ (old.stored \/ old.acked) /\ offsets'.group = m /\ offsets.group = m - 1
        /\ ~turns /\ UNCHANGED used =>
             /\ \A m \in Message : buffer[m].is /\ ~buffer'[m].is => offsets'.group = m
             /\ \A c \in Consumer :
                  /\ reading[c] = 0 /\ reading'[c] # 0 => locked = {} /\ locked' = {c}
                  /\ reading[c] # 0 /\ reading'[c] # reading[c] => reading'[c] = 0 /\ reading[c] \in given'[c] /\ c \notin locked'
                  /\ c \in locked \ locked' => reading[c] # 0 /\ reading'[c] = 0
                  /\ \A m \in given'[c] \ given[c] : m = reading[c] /\ reading'[c] = 0 /\ buffer'[m].is
                  /\ \A m \in given[c] \ given'[c] : m \in handled' \/ passes
        /\ away /\ ~turns /\ ~passes => \A c \in Consumer : \A m \in given[c] \ given'[c] :
             IF buffer[m].is /\ ~buffer[m].stored THEN buffer'[m].acked
             ELSE RemoteEscape /\ route # {} => \E q \in route : [kind |-> "Ack", message |-> m] \in elsewhere'[q]
        /\ \A m \in handled' \ handled : \E c \in Consumer : m \in given[c] \ given'[c]]_<<vars, acting>>
==============================================================================
