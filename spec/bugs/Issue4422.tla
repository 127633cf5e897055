------------------------------ MODULE Issue4422 ------------------------------
(* apache/rocketmq #4422 (e7bf51f4c2): the check looked at the slaves that are connected. A member whose connection was
   gone stayed in the SyncStateSet. Fixed: a member without a connection is removed. *)
(* REPORT inferred: from the change e7bf51f4c2 (#4422), whose thread describes nothing. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS Membership

FallenBehindIfConnected(b, s) == connection[b][s].open /\ connection[b][s].ack < EndOfLog(b)
=============================================================================
