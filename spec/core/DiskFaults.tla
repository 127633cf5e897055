----------------------------- MODULE DiskFaults -----------------------------
(***************************************************************************)
(* What else can happen to a disk, each in the place of DiskIsLost and     *)
(* with its budget: the epoch file is unreadable, the backup is read, the  *)
(* process ends between the two writes of a truncation.                    *)
(*                                                                         *)
(* Learned: bytes whose epochs are not known are worth nothing. A broker   *)
(* that keeps such a log can neither lead (it labels other epochs' bytes   *)
(* with its own) nor follow (it cuts what it acknowledged, or keeps what   *)
(* it should cut). Whether the file is gone or its backup is read, it      *)
(* comes back as one that lost its disk. And the log is cut before the     *)
(* epoch file, never the other way round.                                  *)
(***************************************************************************)
EXTENDS AsShipped

(* The epoch file of a broker that is down cannot be read (F-8, F-40); with it goes its backup. *)
EpochFileIsUnreadable(b) ==
  /\ used.lostDisks < MaxLostDisks
  /\ broker[b].role = "Down"
  /\ disk[b].epochFile # <<>>
  /\ disk' = [disk EXCEPT ![b].epochFile = <<>>]
  /\ used' = [used EXCEPT !.lostDisks = @ + 1]
  /\ UNCHANGED <<controller, events, broker, link, connection, requests, notices, history>>

(* The backup can be read: it is the file before its last change, here without the newest entry. *)
BackupOfEpochFileIsRead(b) ==
  /\ used.lostDisks < MaxLostDisks
  /\ broker[b].role = "Down"
  /\ disk[b].epochFile # <<>>
  /\ disk' = [disk EXCEPT ![b].epochFile = SubSeq(@, 1, Len(@) - 1)]
  /\ used' = [used EXCEPT !.lostDisks = @ + 1]
  /\ UNCHANGED <<controller, events, broker, link, connection, requests, notices, history>>

(* Repaired: a broker that cannot vouch for the epochs of its log does not come back under its identity. *)
EpochFileIsMissed(b) ==
  /\ used.lostDisks < MaxLostDisks
  /\ broker[b].role = "Down"
  /\ disk[b].epochFile # <<>>
  /\ broker' = [broker EXCEPT ![b].role = "Lost"]
  /\ disk' = [disk EXCEPT ![b] = [log |-> <<>>, flushed |-> 0, epochFile |-> <<>>, confirm |-> 0, residue |-> <<>>]]
  /\ used' = [used EXCEPT !.lostDisks = @ + 1]
  /\ UNCHANGED <<controller, events, link, connection, requests, notices, history>>

-----------------------------------------------------------------------------
(* What the first of the two writes of a truncation leaves. *)
LogIsCutFirst(d, m, point)  == WithLog(d, Prefix(d.log, Smaller(point, Len(d.log))))
FileIsCutFirst(d, m, point) == [d EXCEPT !.epochFile = KeepUpTo(disk[m].epochFile, point)]

FirstCut(d, m, point) == LogIsCutFirst(d, m, point)

(* The process ends between the two. *)
HandshakeIsInterrupted(s) ==
  LET m     == broker[s].master
      point == TruncationPoint(s, m)
  IN
  /\ used.lostDisks < MaxLostDisks
  /\ broker[s].role = "Slave"
  /\ link[s] = NoBroker
  /\ m # NoBroker
  /\ Up(m)
  /\ HandshakeAllowed(s, m)
  /\ point # NoPoint
  /\ ProcessEnds(s, "Down")
  /\ disk' = [disk EXCEPT ![s] = FirstCut(@, m, point)]
  /\ used' = [used EXCEPT !.lostDisks = @ + 1]
  /\ UNCHANGED <<controller, events, notices, history>>

=============================================================================
