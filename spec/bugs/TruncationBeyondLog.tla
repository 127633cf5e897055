------------------------- MODULE TruncationBeyondLog -------------------------
(* Hazard F-13: a slave whose log lost its end, but whose epoch file still begins an epoch beyond it, computes a
   truncation point beyond its log and reports that as its offset. The master counts the bytes as copied.
   Repaired: recovery cuts the epoch file, and no offset beyond the log is reported. *)
(* CODE AutoSwitchHAClient.doTruncate: EpochFileCache.setLastEpochEntryEndOffset leaves the end open where the last
   entry begins beyond the log, findConsistentPoint answers beyond the log, truncateFiles returns true,
   currentReportedOffset is set to it; AutoSwitchHAConnection.HAServerReader takes it for slaveAckOffset without
   comparing it with its own log. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; doTruncate changed in 5.1.1, 5.2.0 and 5.4.0, but not in this *)
EXTENDS AsShipped
==============================================================================
