---------------------------- MODULE ReadInvariant ----------------------------
(***************************************************************************)
(* What else every step keeps, besides Inv: what consumers have read is on *)
(* every broker that can be elected, as what was acknowledged is, since    *)
(* whatever may be read on any broker is. And there are no more messages   *)
(* in a log than were offered.                                             *)
(***************************************************************************)
EXTENDS WholeInvariant

(* As Kept, but not only of what a deposed master has: of the one who reigns what can be read counts as well. *)
ReadableUpTo(x, n) ==
  /\ n <= Len(Log(x))
  /\ \A b \in Broker : CanLead(b) => n <= disk[b].flushed /\ SameUpTo(x, b, n)
  /\ \A b \in Broker : Source(b) => n <= Len(Log(b)) /\ SameUpTo(x, b, n)
  /\ \A b \in Broker : Reigns(b) /\ broker[b].role = "Master" => n <= ReadLimit(b) \/ n <= LastStart(File(b))

(* What consumers may read on any broker, or might once it is back, is kept. On a master that is alone in its set that is
   what it has flushed, and what is confirmed as well: it falls back on that when it proposes somebody. *)
ConfirmedAreKept == \A x \in Broker : ReadableUpTo(x, Smaller(disk[x].confirm, EndOfLog(x)))
FlushedAreKept ==
  \A x \in Broker : broker[x].role = "Master" /\ Union(x) = {x} => ReadableUpTo(x, disk[x].flushed)

ConsumedAreFlushed ==
  /\ controller.masterEpoch = 0 => history.consumed = {}
  /\ \A b \in Broker : CanLead(b) =>
       \A id \in history.consumed : \E i \in DOMAIN Log(b) : i <= disk[b].flushed /\ Log(b)[i].id = id

ConsumedAreAtSources ==
  \A m \in Broker : Source(m) => \A id \in history.consumed : \E i \in DOMAIN Log(m) : Log(m)[i].id = id

ConsumedAreReadable ==
  \A m \in Broker : Reigns(m) /\ broker[m].role = "Master" =>
    \A id \in history.consumed : \E i \in DOMAIN Log(m) :
      /\ Log(m)[i].id = id
      /\ i <= ReadLimit(m) \/ i <= LastStart(File(m))

(* Messages are numbered as they are offered, and appended to a log in that order. *)
IdsCount == \A a \in Broker : \A i \in DOMAIN Log(a) : i <= Log(a)[i].id
LogsAreShort == used.puts >= 0 /\ \A a \in Broker : Len(Log(a)) <= used.puts

ReadInv ==
  /\ IdsCount
  /\ LogsAreShort
  /\ ConfirmedAreKept
  /\ FlushedAreKept
  /\ ConsumedAreFlushed
  /\ ConsumedAreAtSources
  /\ ConsumedAreReadable

=============================================================================
