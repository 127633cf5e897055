---------------------------- MODULE NoCommonEntry ----------------------------
(* Hazard F-36: two brokers whose epoch files have no entry in common find no truncation point and retry for ever, even
   if one of the logs is empty. Repaired: if both files reach down to offset 0, they share the empty log. *)
(* CODE EpochFileCache.findConsistentPoint answers -1 without a common (epoch, startOffset);
   AutoSwitchHAClient.doTruncate returns false, and the client connects again, for ever. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; findConsistentPoint did not change *)
EXTENDS Progress, AsShipped
==============================================================================
