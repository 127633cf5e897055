----------------------------- MODULE ExpiredHead -----------------------------
(* Hazard F-50: case 1-1 of the watermark figure, as shipped: the slave was away so long that its master has deleted what
   comes after the slave's log. It finds no common epoch, or goes on asking for an offset that the master does not have; the
   master finds nothing to send, which counts as caught up. Repaired: it begins anew where its master's log begins. *)
(* CODE AutoSwitchHAClient.doTruncate gives up where EpochFileCache.findConsistentPoint finds none;
   AutoSwitchHAConnection.transferToSlave takes a slave for caught up when DefaultMessageStore.getCommitLogData has nothing at
   the offset that is asked for. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3, 5.4.0, 5.5.0 and 5.5.1 *)
EXTENDS LogHeads

KeptEndAsShipped ==
  LET point == ConsistentPoint(SlaveFile, slave.max, MasterFile, master.max)
  IN IF point = NoPoint THEN NoPoint ELSE Smaller(slave.max, point)
NeverBeginsAnew(kept) == FALSE
==============================================================================
