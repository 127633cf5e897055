----------------------------- MODULE AsDesigned -----------------------------
(***************************************************************************)
(* The rules as the design texts state them (RIP-44, the controller design *)
(* page, the article on high availability in 5.0), where they differ from  *)
(* the repaired reading. On restart and late messages the texts are silent;*)
(* there the plain reading is taken.                                       *)
(***************************************************************************)
EXTENDS ControllerMode

(* "Applied locally only after the controller confirmed it": acknowledgements follow the confirmed set alone. *)
AckSetAsDesigned(b)               == broker[b].sss
PendingWithAsDesigned(m, members) == {}

DurableEndAsDesigned(b) == EndOfLog(b)

(* All members have it; the minimum is asked when the message arrives. *)
MayAcknowledgeAsDesigned(m, offset) ==
  /\ broker[m].role = "Master"
  /\ AckedByMembers(AllAck, InSyncReplicas, 0, AckSet(m), Holders(m, offset))

(* The smallest offset of the members; a single master confirms all that it has. *)
ReadLimitAsDesigned(b) ==
  IF broker[b].role = "Master" /\ broker[b].sss = {b} THEN EndOfLog(b) ELSE disk[b].confirm

ConfirmWithAsDesigned(m, local, members, connected, acks) ==
  ConfirmAtMasterAsDesigned(m, members, connected, acks, EndOfLog(m), disk[m].confirm)

ConfirmAfterFlushAsDesigned(b) == disk[b].confirm

ConfirmOnSlaveAsDesigned(announced, logEnd, old) == ConfirmAtSlaveAsShipped(announced, logEnd, old)

ExpandGuardAsDesigned(m, s) == s \notin Learners /\ connection[m][s].ack >= ReadLimit(m)

(* The four checks of RIP-44. *)
AlterCodeAsDesigned(r) ==
  CASE controller.master # r.from               -> "INVALID_MASTER"
    [] controller.sssEpoch # r.sssEpoch         -> "FENCED_SYNC_STATE_SET_EPOCH"
    [] ~(r.members \subseteq controller.alive)  -> "BROKER_NOT_ALIVE"
    [] r.from \notin r.members                  -> "ALTER_SYNC_STATE_SET_FAILED"
    [] OTHER                                    -> "SUCCESS"

FirstElectedAsDesigned(b) == {b}
MayResumeAsDesigned(b)    == TRUE
HeedsNoticeAsDesigned(b)  == TRUE

(* The epoch file is a map: the newest pair is put into it. *)
EpochFileAtPromotionAsDesigned(file, e, logEnd) == Append(DropFromEpoch(file, e), Entry(e, logEnd))
EpochFileOnHeaderAsDesigned(s, file, x) ==
  IF IndexOf(file, x.epoch) # 0 THEN file ELSE Append(DropFromEpoch(file, x.epoch), x)

(* No common entry: left to an operator. *)
TruncationPointAsDesigned(s, m) ==
  IF disk[s].epochFile = <<>> THEN EndOfLog(s)
  ELSE ConsistentPoint(disk[s].epochFile, EndOfLog(s), disk[m].epochFile, EndOfLog(m))

HandshakeAllowedAsDesigned(s, m) == broker[m].role = "Master"

=============================================================================
