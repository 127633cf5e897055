--------------------------- MODULE EpochFileLemmas ---------------------------
(***************************************************************************)
(* Epoch files and truncation, for files and logs of every length.         *)
(*                                                                         *)
(* A log is a sequence of entries that carry the epoch of the master that  *)
(* accepted them; the brokers do not see it, the epoch file has to say it. *)
(***************************************************************************)
EXTENDS EpochFile

(* Stands for Unbounded (Long.MAX_VALUE in the Java class); what has to be true of it is among the hypotheses. *)
CONSTANT
  \* @type: Int;
  Infinity

Files == Seq([epoch : Nat, start : Nat])
Logs  == Seq([id : Nat, epoch : Nat])

(* Both fields rise from entry to entry; the same as IsEpochFile, by RisingStepByStep. *)
RisingUpTo(file, n) ==
  \A i, j \in DOMAIN file :
    i < j /\ j <= n => file[i].epoch < file[j].epoch /\ file[i].start < file[j].start
Rising(file) == RisingUpTo(file, Len(file))

(* Entry k is about the byte at this offset. By CoveringEntryIsIndexAt it is the one that IndexAt finds. *)
Covering(file, k, offset) ==
  /\ file[k].start <= offset
  /\ \A l \in DOMAIN file : l > k => offset < file[l].start

(* The writing rule: every message lies under the epoch of the master that accepted it. *)
Labels(file, log) ==
  \A i \in DOMAIN log : \E k \in DOMAIN file : Covering(file, k, i - 1) /\ file[k].epoch = log[i].epoch

(* Infinity is larger than every offset that occurs. *)
BelowInfinity(end, file) == end <= Infinity /\ \A i \in DOMAIN file : file[i].start <= Infinity

(* One master per epoch: an epoch has one beginning. *)
FilesAgree(file, other) ==
  \A i \in DOMAIN file, j \in DOMAIN other : file[i].epoch = other[j].epoch => file[i].start = other[j].start

AgreeUpTo(log, other, n) == \A i \in DOMAIN log \cap DOMAIN other : i <= n => log[i] = other[i]

(* One master per epoch: whoever has a message of an epoch has what its master had before it. *)
LogsMatch(log, other) ==
  \A i \in DOMAIN log \cap DOMAIN other : log[i].epoch = other[i].epoch => AgreeUpTo(log, other, i)

(* And whoever has the entry of an epoch has what its master had when it began. *)
BeginningsMatch(file, log, other, otherLog) ==
  \A i \in DOMAIN file, j \in DOMAIN other : file[i] = other[j] => AgreeUpTo(log, otherLog, file[i].start)

IsPrefix(short, long) == Len(short) <= Len(long) /\ \A i \in DOMAIN short : short[i] = long[i]

(* A slave's file while it copies: what its master's says, at least about the bytes that it has. *)
Follows(file, log, other) ==
  /\ IsPrefix(file, other)
  /\ \A i \in DOMAIN other : other[i].start < Len(log) => i <= Len(file)

-----------------------------------------------------------------------------
(* The file *)

\* When the first n entries rise and the next rises above the n-th, the first n+1 rise: so IsEpochFile makes all rise.
THEOREM RisingStepByStep ==
  ASSUME NEW file \in Files, NEW n \in Nat,
         Neighbours:: \A i \in {n} \cap 1..(Len(file) - 1) :
                         file[i].epoch < file[i + 1].epoch /\ file[i].start < file[i + 1].start,
         UpToN::      RisingUpTo(file, n)
  PROVE  RisingUpTo(file, n + 1) /\ RisingUpTo(file, 0)

\* In a rising file IndexAt finds the one entry that begins at or before an offset and before which no later one begins.
THEOREM CoveringEntryIsIndexAt ==
  ASSUME NEW file \in Files, NEW offset \in Nat, NEW k \in DOMAIN file,
         FileRises:: Rising(file),
         KCovers::   Covering(file, k, offset)
  PROVE  IndexAt(file, offset) = k

\* A new entry keeps the file rising.
THEOREM AppendKeepsRising ==
  ASSUME NEW file \in Files, NEW epoch \in Nat, NEW start \in Nat,
         FileRises:: Rising(file)
  PROVE  Rising(AppendNewerWins(file, Entry(epoch, start)))

\* The entry of a newer epoch is in the file after it was appended.
THEOREM NewerEntryIsRecorded ==
  ASSUME NEW file \in Files, NEW epoch \in Nat, NEW start \in Nat,
         Newer:: epoch > LastEpoch(file)
  PROVE  LET after == AppendNewerWins(file, Entry(epoch, start)) IN after[Len(after)] = Entry(epoch, start)

\* As shipped the entry is silently not appended when it starts where the last one does.
\* EXPECT refuted
THEOREM NewerEntryIsRecordedAsShipped ==
  ASSUME NEW file \in Files, NEW epoch \in Nat, NEW start \in Nat,
         FileRises::    Rising(file),
         Newer::        epoch > LastEpoch(file),
         NotBackwards:: start >= LastStart(file)
  PROVE  LET after == AppendAsShipped(file, Entry(epoch, start)) IN after[Len(after)] = Entry(epoch, start)

\* What a file said about bytes before the start of a new entry, it says after it too.
THEOREM AppendKeepsLabels ==
  ASSUME NEW file \in Files, NEW log \in Logs, NEW epoch \in Nat,
         FileLabelsLog:: Labels(file, log)
  PROVE  Labels(AppendNewerWins(file, Entry(epoch, Len(log))), log)

-----------------------------------------------------------------------------
(* The truncation point *)

\* Two logs agree below the consistent point of their files.
\* BOUNDS length 4
THEOREM LogsAgreeBelowPoint ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW log \in Logs, NEW otherLog \in Logs,
         FileRises::      Rising(file),
         OtherRises::     Rising(other),
         FileLabelsLog::  Labels(file, log),
         OtherLabelsLog:: Labels(other, otherLog),
         Matching::       LogsMatch(log, otherLog),
         Beginnings::     BeginningsMatch(file, log, other, otherLog)
  PROVE  AgreeUpTo(log, otherLog, ConsistentPoint(file, Len(log), other, Len(otherLog)))

\* The point is not below the end of any epoch that both hold whole: nothing is cut without cause.
THEOREM PointKeepsWholeEpochs ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW end \in Nat, NEW otherEnd \in Nat,
         NEW i \in DOMAIN file, NEW j \in DOMAIN other,
         FileRises::  Rising(file),
         OtherRises:: Rising(other),
         IsInfinite::   BelowInfinity(end, file) /\ BelowInfinity(otherEnd, other),
         SameEntry::  file[i] = other[j],
         BothWhole::  EndOf(file, i, end) = EndOf(other, j, otherEnd)
  PROVE  ConsistentPoint(file, end, other, otherEnd) >= EndOf(file, i, end)

\* The point is -1 only when no epoch is shared.
THEOREM NoPointMeansNoSharedEpoch ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW end \in Nat, NEW otherEnd \in Nat,
         OneBeginning:: FilesAgree(file, other),
         IsInfinite::   BelowInfinity(end, file) /\ BelowInfinity(otherEnd, other),
         NoPointFound:: ConsistentPoint(file, end, other, otherEnd) = NoPoint
  PROVE  \A i \in DOMAIN file, j \in DOMAIN other : file[i].epoch # other[j].epoch

\* The repaired point is within the slave's log.
THEOREM PointWithinLog ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW end \in Nat, NEW otherEnd \in Nat,
         IsInfinite:: BelowInfinity(end, file) /\ BelowInfinity(otherEnd, other)
  PROVE  ConsistentPointOrStart(file, end, other, otherEnd) \in 0..end

\* As shipped it may lie beyond the slave's log, which then acknowledges bytes that it does not have (hazard F-13).
\* EXPECT refuted
THEOREM PointAsShippedWithinLog ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW end \in Nat, NEW otherEnd \in Nat,
         FileRises::  Rising(file),
         OtherRises:: Rising(other)
  PROVE  ConsistentPoint(file, end, other, otherEnd) <= end

\* No message at or below the confirm offset is cut: a master from the SyncStateSet has it under allAck, so the point is above.
THEOREM NothingConfirmedIsCut ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW log \in Logs, NEW otherLog \in Logs, NEW confirm \in Nat,
         NEW i \in DOMAIN log,
         OtherRises::     Rising(other),
         FileLabelsLog::  Labels(file, log),
         OtherLabelsLog:: Labels(other, otherLog),
         OneBeginning::   FilesAgree(file, other),
         IsInfinite::     BelowInfinity(Len(log), file) /\ BelowInfinity(Len(otherLog), other),
         MasterHasIt::    i <= confirm /\ confirm <= Len(otherLog) /\ otherLog[i] = log[i]
  PROVE  i <= ConsistentPointOrStart(file, Len(log), other, Len(otherLog))

-----------------------------------------------------------------------------
(* The slave after the handshake *)

\* After truncation the slave's epoch file is a copy of the beginning of its master's.
THEOREM FileAfterTruncationIsPrefix ==
  ASSUME NEW other \in Files, NEW cut \in Logs,
         OtherRises::  Rising(other)
  PROVE  Follows(KeepUpTo(other, Len(cut)), cut, other)

\* And it labels the bytes that are left, which the master has too.
THEOREM FileAfterTruncationLabels ==
  ASSUME NEW other \in Files, NEW cut \in Logs, NEW otherLog \in Logs,
         OtherLabelsLog:: Labels(other, otherLog),
         MasterHasThem::  IsPrefix(cut, otherLog)
  PROVE  Labels(KeepUpTo(other, Len(cut)), cut)

\* As shipped the slave keeps its own file below the point, which may lack an epoch that its bytes are of.
\* EXPECT refuted
THEOREM FileAfterTruncationLabelsAsShipped ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW cut \in Logs, NEW otherLog \in Logs,
         FileRises::      Rising(file),
         OtherLabelsLog:: Labels(other, otherLog),
         MasterHasThem::  IsPrefix(cut, otherLog)
  PROVE  Labels(DropFromOffset(file, Len(cut)), cut)

\* A batch that ends where its epoch ends keeps the slave's file a copy of the beginning of its master's.
THEOREM BatchOfOneEpochKeepsPrefix ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW log \in Logs, NEW batch \in Logs, NEW i \in DOMAIN other,
         OtherRises::   Rising(other),
         Following::    Follows(file, log, other),
         RightLabel::   i = IndexAt(other, Len(log)),
         CutAtEnd::     i < Len(other) => Len(log) + Len(batch) <= other[i + 1].start
  PROVE  Follows(AppendNewerWins(file, other[i]), log \o batch, other)

\* As shipped a batch that is cut at the boundary carries the next epoch's label, and the slave records that one alone.
\* EXPECT refuted
THEOREM BatchWithNextLabelKeepsPrefix ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW log \in Logs, NEW batch \in Logs, NEW i \in DOMAIN other,
         OtherRises::   Rising(other),
         Following::    Follows(file, log, other),
         NextLabel::    i = IndexAt(other, Len(log)) + 1,
         CutAtStart::   Len(log) + Len(batch) <= other[i].start
  PROVE  Follows(AppendAsShipped(file, other[i]), log \o batch, other)

=============================================================================
