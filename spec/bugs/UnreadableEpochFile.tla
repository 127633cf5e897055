---------------------- MODULE UnreadableEpochFile -----------------------
(* Hazard F-8: a broker whose epoch file cannot be read takes itself for a new replica: nothing is cut in the
   handshake although its log is not empty, and two different logs are judged equal. Repaired: a broker that cannot
   vouch for the epochs of its log comes back as one that lost its disk. *)
(* CODE EpochFileCache.initCacheFromFile returns false for an unreadable file, AutoSwitchHAService.init ignores that;
   AutoSwitchHAClient.doTruncate takes an empty cache for a new replica (getEntrySize() == 0) and cuts nothing.
   CheckpointFile.read lets a NumberFormatException pass, so the backup is not tried (F-40). *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; initCacheFromFile did not change *)
EXTENDS DiskFaults
=============================================================================
