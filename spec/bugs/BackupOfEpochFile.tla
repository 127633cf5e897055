------------------------ MODULE BackupOfEpochFile ------------------------
(* Hazards F-8 and F-42: the backup of the epoch file is read, which lacks the newest entry. The bytes of that epoch
   lie under the epoch before. Repaired: as in UnreadableEpochFile, it comes back as one that lost its disk. *)
(* CODE MixAll.string2File keeps what the file was before as .bak; CheckpointFile.read falls back to .bak, which lacks
   the newest entry, and EpochFileCache.initCacheFromFile does not compare it with the log. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; CheckpointFile.read did not change *)
EXTENDS DiskFaults
=============================================================================
