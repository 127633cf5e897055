------------------------------ MODULE EpochFile ------------------------------
(***************************************************************************)
(* The epoch file: for each master epoch the log offset at which it began. *)
(* Pure operators, no variables: the protocol, the golden tests and the    *)
(* lemmas all use these.                                                   *)
(*                                                                         *)
(* A file is a sequence of records [epoch, start], both strictly rising.   *)
(* The end of an entry is not stored: it is the start of the next entry,   *)
(* and for the last one the end of the log that the file belongs to.       *)
(*                                                                         *)
(* Where the design text and the Java class EpochFileCache differ, the     *)
(* operator exists twice. Left out: the CRC and the backup of the file on  *)
(* disk, and the stale endOffset that the class keeps in memory after a    *)
(* suffix truncation (hazard F-9).                                         *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

(* Larger than every offset that occurs: the end of the last entry when the log does not reach its start. A definition
   and no CONSTANT: every configuration would have to give that a value, TLA+ has none by default. In models offsets end
   at MaxPuts. The lemmas, for which offsets do not end, have their configuration replace it by a constant of which they
   say what has to be true; with a number, offsets above it would break the truncation point. *)
Unbounded == 999999

(* The answer of ConsistentPoint when no entry is common. *)
NoPoint == -1

Entry(epoch, start) == [epoch |-> epoch, start |-> start]

Smaller(x, y) == IF x <= y THEN x ELSE y
Larger(x, y)  == IF x >= y THEN x ELSE y

(* RIP-44 asks that both fields rise from entry to entry. *)
IsEpochFile(file) ==
  \A i \in 1..(Len(file) - 1) : file[i].epoch < file[i + 1].epoch /\ file[i].start < file[i + 1].start

LastEpoch(file) == IF file = <<>> THEN -1 ELSE file[Len(file)].epoch
LastStart(file) == IF file = <<>> THEN -1 ELSE file[Len(file)].start

(* The end of entry i of a file whose log ends at logEnd. As in the Java class, the log's end counts only if
   the log reaches the entry's start; otherwise the entry stays open, which is how hazard F-13 begins. *)
EndOf(file, i, logEnd) ==
  IF i < Len(file) THEN file[i + 1].start
  ELSE IF file[i].start <= logEnd THEN logEnd ELSE Unbounded

(* Index of the entry that covers an offset, 0 if none does. The last entry covers everything from its start. *)
IndexAt(file, offset) ==
  LET covering == { i \in DOMAIN file : file[i].start <= offset /\ (i = Len(file) \/ offset < file[i + 1].start) }
  IN IF covering = {} THEN 0 ELSE CHOOSE i \in covering : TRUE

(* Index of the entry of an epoch, 0 if the file has none. *)
IndexOf(file, epoch) ==
  LET same == { i \in DOMAIN file : file[i].epoch = epoch }
  IN IF same = {} THEN 0 ELSE CHOOSE i \in same : TRUE

-----------------------------------------------------------------------------
(* Truncation of the file itself *)

DropFromOffset(file, offset) == SelectSeq(file, LAMBDA x : x.start < offset)
DropFromEpoch(file, epoch)   == SelectSeq(file, LAMBDA x : x.epoch < epoch)

(* What remains after the log before an offset was deleted: an entry goes when its end is not after the offset. *)
DropPrefix(file, offset) ==
  LET first == { i \in DOMAIN file : i = Len(file) \/ file[i + 1].start > offset }
  IN IF file = <<>> THEN <<>>
     ELSE SubSeq(file, CHOOSE i \in first : \A j \in first : i <= j, Len(file))

(* The entries that speak about a log which ends at an offset: an entry may start exactly there. *)
KeepUpTo(file, offset) == SelectSeq(file, LAMBDA x : x.start <= offset)

-----------------------------------------------------------------------------
(* Appending an entry *)

(* The Java (EpochFileCache.appendEntry) refuses an entry unless both fields rise, and no caller looks at the refusal. *)
AppendRefused(file, x) == file # <<>> /\ (LastEpoch(file) >= x.epoch \/ LastStart(file) >= x.start)
AppendAsShipped(file, x) == IF AppendRefused(file, x) THEN file ELSE Append(file, x)

(* Repaired: the newer epoch wins, entries that start at or after it had no bytes; a known epoch is never moved. *)
AppendNewerWins(file, x) ==
  IF x.epoch <= LastEpoch(file) THEN file ELSE Append(DropFromOffset(file, x.start), x)

-----------------------------------------------------------------------------
(* The truncation point *)

Common(local, other) == { i \in DOMAIN local : \E j \in DOMAIN other : local[i] = other[j] }

(* Searching the local file from its newest entry down, the first entry that the other file has with the same
   epoch and start; the logs agree up to the smaller of the two ends of that entry. *)
ConsistentPoint(local, localEnd, other, otherEnd) ==
  IF Common(local, other) = {} THEN NoPoint
  ELSE LET i == CHOOSE k \in Common(local, other) : \A l \in Common(local, other) : l <= k
           j == IndexOf(other, local[i].epoch)
       IN Smaller(EndOf(local, i, localEnd), EndOf(other, j, otherEnd))

(* Repaired: two files without a common entry, both reaching down to offset 0, share the empty log. *)
ConsistentPointOrStart(local, localEnd, other, otherEnd) ==
  LET point == ConsistentPoint(local, localEnd, other, otherEnd)
  IN IF point = NoPoint THEN 0 ELSE Smaller(point, localEnd)

=============================================================================
