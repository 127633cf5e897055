----------------------------- MODULE LateBatches -----------------------------
(***************************************************************************)
(* Batches on their way: what a slave appends was sent some time ago, with *)
(* a header that says the master's confirmOffset of then. In ControllerMode*)
(* a batch is sent and appended in one step, and mostly it can be taken    *)
(* when it was sent. Not where the slave has heard the controller in       *)
(* between, and what it heard follows from something that the master did   *)
(* after the batch had left: then its confirmOffset is an older one.       *)
(*                                                                         *)
(* The bytes need nothing: a master's log only grows while a slave copies  *)
(* it. Which of its earlier confirmOffsets a header has is not kept, so    *)
(* any smaller one will do, as in LateAcks.                                *)
(***************************************************************************)
EXTENDS LateAcks

SlaveAppendsLateBatch(s, limit) ==
  LET m     == link[s]
      batch == NextBatch(m, s)
      next  == EndOfLog(s)
      log   == disk[s].log \o SubSeq(disk[m].log, next + 1, next + batch.size)
  IN
  /\ TrackConfirm
  /\ m # NoBroker
  /\ Up(s) /\ Up(m)
  /\ next < EndOfLog(m)
  /\ batch.size > 0
  /\ limit < ReadLimit(m)
  /\ disk' = [disk EXCEPT ![s] =
       [WithLog(@, log) EXCEPT
          !.epochFile = IF batch.label = 0 THEN @ ELSE EpochFileOnHeader(s, @, disk[m].epochFile[batch.label]),
          !.residue = SubSeq(@, batch.size + 1, Len(@)),
          !.confirm = ConfirmOnSlave(limit, Len(log), @)]]
  /\ connection' = [connection EXCEPT ![m][s].transferEpoch = batch.transferEpoch,
                                      ![m][s].transferEnd = batch.transferEnd,
                                      ![m][s].masterEnd = MasterEndAtTransfer(m)]
  /\ UNCHANGED <<controllerVars, broker, link, messageVars, history, used>>

(* A header without a body. *)
SlaveLearnsLateConfirm(s, limit) ==
  LET m   == link[s]
      new == ConfirmOnSlave(limit, EndOfLog(s), disk[s].confirm)
  IN
  /\ TrackConfirm
  /\ m # NoBroker
  /\ limit < ReadLimit(m)
  /\ new # disk[s].confirm
  /\ disk' = [disk EXCEPT ![s].confirm = new]
  /\ UNCHANGED <<controllerVars, broker, replicationVars, messageVars, history, used>>

LateBatchesNext ==
  \/ LateNext
  \/ \E s \in Broker, limit \in Offset : SlaveAppendsLateBatch(s, limit)
  \/ \E s \in Broker, limit \in Offset : SlaveLearnsLateConfirm(s, limit)

LateBatchesSpec == Init /\ [][LateBatchesNext]_vars
==============================================================================
