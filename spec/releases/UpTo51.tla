------------------------------- MODULE UpTo51 -------------------------------
(***************************************************************************)
(* The confirmOffset of AutoSwitchHAService before 5.1.1: the smallest ack *)
(* of the connections of members of the one set that is kept (#6662), -1   *)
(* of a connection that has not acknowledged yet (#6728; here 0), computed *)
(* anew while it is not above 0 (#7441). What is proposed is not marked.   *)
(***************************************************************************)
(* CODE AutoSwitchHAService.computeConfirmOffset, getConfirmOffset and getSyncStateSet of 5.0.0 and 5.1.0. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS Issue7441

ConfirmWithUpTo51(m, local, members, connected, acks) ==
  ConfirmAtMasterAsDesigned(m, local \cap connected, connected, acks, EndOfLog(m), disk[m].confirm)

ReadLimitUpTo51(b) ==
  IF broker[b].role = "Master" /\ Cardinality(broker[b].sss) # 1 /\ disk[b].confirm = 0
  THEN ConfirmWithUpTo51(b, broker[b].sss, broker[b].sss, Connected(b), AcksOn(b))
  ELSE ReadLimitOfIssue7441(b)

PendingWithUpTo51(m, members) == {}
=============================================================================
