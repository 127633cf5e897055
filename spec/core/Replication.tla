----------------------------- MODULE Replication -----------------------------
(***************************************************************************)
(* Handshake, transfer and acknowledgement between a slave and the broker  *)
(* that it copies from.                                                    *)
(***************************************************************************)
EXTENDS Rules

(* The disk of m when s acknowledges, so that the acks are `acks`, those of whom is `connected`. *)
DisksAfterAck(m, s, connected, acks) ==
  IF AckMovesConfirm(m, s)
  THEN [disk EXCEPT ![m].confirm = ConfirmWith(m, broker[m].sss, Union(m), connected, acks)]
  ELSE disk

(* Connect, exchange the epoch files, cut the log, start to transfer. One step: a handshake that is interrupted
   has either cut the log or not. *)
SlaveConnectsAndTruncates(s) ==
  LET m     == broker[s].master
      point == TruncationPoint(s, m)
      first == FirstAck(s, point)
      known == IF first < 0 THEN disk
               ELSE DisksAfterAck(m, s, Connected(m) \cup {s}, [AcksOn(m) EXCEPT ![s] = first])
  IN
  /\ broker[s].role = "Slave"
  /\ link[s] = NoBroker
  /\ m # NoBroker
  /\ Up(m)
  /\ HandshakeAllowed(s, m)
  /\ point # NoPoint
  /\ disk' = [known EXCEPT ![s] =
       [WithLog(@, Prefix(@.log, Smaller(point, Len(@.log)))) EXCEPT
          !.epochFile = EpochFileAfterHandshake(s, m, point),
          !.residue = ResidueAfterTruncation(disk[s], point)]]
  /\ link' = [link EXCEPT ![s] = m]
  /\ connection' = [connection EXCEPT ![m][s] =
       [FreshConnection EXCEPT !.ack = first, !.twin = TwinAfterReconnect(m, s)]]
  /\ UNCHANGED <<controllerVars, broker, messageVars, history, used>>

(* A batch is sent and appended. A header that brings a new epoch is recorded even if no message comes with it. *)
SlaveAppendsBatch(s) ==
  LET m     == link[s]
      batch == NextBatch(m, s)
      next  == EndOfLog(s)
      log   == disk[s].log \o SubSeq(disk[m].log, next + 1, next + batch.size)
      file  == IF batch.label = 0 THEN disk[s].epochFile
               ELSE EpochFileOnHeader(s, disk[s].epochFile, disk[m].epochFile[batch.label])
  IN
  /\ m # NoBroker
  /\ Up(s) /\ Up(m)
  /\ next <= EndOfLog(m)
  /\ batch.size > 0 \/ file # disk[s].epochFile
  /\ disk' = [disk EXCEPT ![s] =
       [WithLog(@, log) EXCEPT
          !.epochFile = file,
          !.residue = SubSeq(@, batch.size + 1, Len(@)),
          !.confirm = IF TrackConfirm THEN ConfirmOnSlave(ReadLimit(m), Len(log), @) ELSE 0]]
  /\ connection' = [connection EXCEPT ![m][s].transferEpoch = batch.transferEpoch,
                                      ![m][s].transferEnd = batch.transferEnd,
                                      ![m][s].masterEnd = IF next < EndOfLog(m) THEN MasterEndAtTransfer(m) ELSE @]
  /\ UNCHANGED <<controllerVars, broker, link, messageVars, history, used>>

(* A header without a body brings a newer confirmOffset. *)
SlaveLearnsConfirmOffset(s) ==
  LET m   == link[s]
      new == ConfirmOnSlave(ReadLimit(m), EndOfLog(s), disk[s].confirm)
  IN
  /\ TrackConfirm
  /\ m # NoBroker
  /\ new # disk[s].confirm
  /\ disk' = [disk EXCEPT ![s].confirm = new]
  /\ UNCHANGED <<controllerVars, broker, replicationVars, messageVars, history, used>>

(* The slave's offset reaches the master. *)
MasterReceivesAck(s) ==
  LET m    == link[s]
      acks == [AcksOn(m) EXCEPT ![s] = DurableEnd(s)]
  IN
  /\ m # NoBroker
  /\ connection[m][s].ack < DurableEnd(s)
  /\ connection' = [connection EXCEPT ![m][s].ack = DurableEnd(s)]
  /\ disk' = DisksAfterAck(m, s, Connected(m), acks)
  /\ UNCHANGED <<controllerVars, broker, link, messageVars, history, used>>

(* The master reaps a connection that its slave left. *)
MasterNoticesLostConnection(m, s) ==
  /\ HalfOpen
  /\ connection[m][s].open
  /\ link[s] # m
  /\ connection' = [connection EXCEPT ![m][s] = ClosedConnection]
  /\ UNCHANGED <<controllerVars, brokerVars, link, messageVars, history, used>>

BytesAreFlushed(b) ==
  /\ MaxLosses > 0
  /\ Up(b)
  /\ disk[b].flushed < EndOfLog(b)
  /\ disk' = [disk EXCEPT ![b].flushed = EndOfLog(b), ![b].confirm = ConfirmAfterFlush(b)]
  /\ UNCHANGED <<controllerVars, broker, replicationVars, messageVars, history, used>>

=============================================================================
