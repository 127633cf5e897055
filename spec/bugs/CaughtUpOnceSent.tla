-------------------------- MODULE CaughtUpOnceSent ---------------------------
(* Hazard F-15 (opened by 97e6cecbf9): a slave counts as caught up whenever the master has nothing left to send to it,
   whatever it has acknowledged. A slave that hangs after receiving everything stays in the set, and messages wait for
   its ack. Repaired: what was acknowledged counts. (In the Java the socket ends after 20 s without a packet.) *)
(* CODE AutoSwitchHAConnection.AbstractWriteSocketService.transferToSlave: where nothing is left to send it calls
   updateConnectionLastCaughtUpTime(slaveId, now); AutoSwitchHAService.maybeShrinkSyncStateSet asks only that time. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; maybeShrinkSyncStateSet, up to 5.1.0 maybeShrinkInSyncStateSet, changed in 5.1.1 and 5.1.4,
   but not in this *)
EXTENDS Membership

FallenBehindInSending(b, s) == ~connection[b][s].open \/ EndOfLog(s) < EndOfLog(b)
=============================================================================
