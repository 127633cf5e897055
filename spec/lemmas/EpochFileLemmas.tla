--------------------------- MODULE EpochFileLemmas ---------------------------
(***************************************************************************)
(* Epoch files and truncation, for files and logs of every length.         *)
(*                                                                         *)
(* A log is a sequence of entries that carry the epoch of the master that  *)
(* accepted them; the brokers do not see it, the epoch file has to say it. *)
(***************************************************************************)
EXTENDS EpochFile

Files == Seq([epoch : Nat, start : Nat])
Logs  == Seq([id : Nat, epoch : Nat])

(* Both fields rise from entry to entry; the same as IsEpochFile, by RisingStepByStep. *)
RisingUpTo(file, n) ==
  \A i, j \in DOMAIN file :
    i < j /\ j <= n => file[i].epoch < file[j].epoch /\ file[i].start < file[j].start
Rising(file) == RisingUpTo(file, Len(file))

(* The writing rule: every message lies under the epoch of the master that accepted it. *)
Labels(file, log) ==
  \A i \in DOMAIN log : LET k == IndexAt(file, i - 1) IN k # 0 /\ file[k].epoch = log[i].epoch

(* No entry begins beyond the end of the log. *)
Covers(file, end) == \A i \in DOMAIN file : file[i].start <= end

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

\* If each entry rises above the one before, the first n+1 entries rise when the first n do: with n = 0 to start, all do.
THEOREM RisingStepByStep ==
  ASSUME NEW file \in Files, NEW n \in Nat,
         Neighbours:: IsEpochFile(file),
         UpToN::      RisingUpTo(file, n)
  PROVE  RisingUpTo(file, n + 1) /\ RisingUpTo(file, 0)

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
         FileRises::     Rising(file),
         FileLabelsLog:: Labels(file, log)
  PROVE  Labels(AppendNewerWins(file, Entry(epoch, Len(log))), log)

-----------------------------------------------------------------------------
(* The truncation point *)

\* Two logs agree below the consistent point of their files.
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
         FileCovered::  Covers(file, end),
         OtherCovered:: Covers(other, otherEnd),
         SameEntry::  file[i] = other[j],
         BothWhole::  EndOf(file, i, end) = EndOf(other, j, otherEnd)
  PROVE  ConsistentPoint(file, end, other, otherEnd) >= EndOf(file, i, end)

\* The point is -1 only when no epoch is shared.
THEOREM NoPointMeansNoSharedEpoch ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW end \in Nat, NEW otherEnd \in Nat,
         OneBeginning:: FilesAgree(file, other),
         NoPointFound:: ConsistentPoint(file, end, other, otherEnd) = NoPoint
  PROVE  \A i \in DOMAIN file, j \in DOMAIN other : file[i].epoch # other[j].epoch

\* The repaired point is within the slave's log.
THEOREM PointWithinLog ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW end \in Nat, NEW otherEnd \in Nat
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
         NEW i \in DOMAIN log, NEW message \in [id : Nat, epoch : Nat],
         FileRises::      Rising(file),
         OtherRises::     Rising(other),
         FileLabelsLog::  Labels(file, log),
         OtherLabelsLog:: Labels(other, otherLog),
         OneBeginning::   FilesAgree(file, other),
         Confirmed::      i <= confirm /\ log[i] = message,
         MasterHasIt::    confirm <= Len(otherLog) /\ AgreeUpTo(log, otherLog, confirm)
  PROVE  i <= ConsistentPointOrStart(file, Len(log), other, Len(otherLog))

-----------------------------------------------------------------------------
(* The slave after the handshake *)

\* After truncation the slave's epoch file is a copy of the beginning of its master's.
THEOREM FileAfterTruncationIsPrefix ==
  ASSUME NEW other \in Files, NEW log \in Logs, NEW point \in Nat,
         OtherRises::  Rising(other),
         PointInLog::  point <= Len(log)
  PROVE  Follows(KeepUpTo(other, point), SubSeq(log, 1, point), other)

\* And it labels the bytes that are left.
THEOREM FileAfterTruncationLabels ==
  ASSUME NEW other \in Files, NEW log \in Logs, NEW otherLog \in Logs, NEW point \in Nat,
         OtherRises::     Rising(other),
         OtherLabelsLog:: Labels(other, otherLog),
         PointInLog::     point <= Len(log),
         PointInOther::   point <= Len(otherLog),
         LogsAgree::      AgreeUpTo(log, otherLog, point)
  PROVE  Labels(KeepUpTo(other, point), SubSeq(log, 1, point))

\* As shipped the slave keeps its own file below the point, which may lack an epoch that its bytes are of.
\* EXPECT refuted
THEOREM FileAfterTruncationLabelsAsShipped ==
  ASSUME NEW file \in Files, NEW other \in Files, NEW log \in Logs, NEW otherLog \in Logs, NEW point \in Nat,
         FileRises::      Rising(file),
         OtherRises::     Rising(other),
         OtherLabelsLog:: Labels(other, otherLog),
         PointInLog::     point <= Len(log),
         PointInOther::   point <= Len(otherLog),
         LogsAgree::      AgreeUpTo(log, otherLog, point)
  PROVE  Labels(DropFromOffset(file, point), SubSeq(log, 1, point))

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
