----------------------- MODULE RecoveryKeepsEpochFile ------------------------
(* Hazard F-10: recovery does not cut the epoch file to the recovered log. Repaired: recovery drops the entries that
   begin beyond the recovered log. *)
(* CODE DefaultMessageStore.load and recover set the end of the log; nobody calls
   EpochFileCache.truncateSuffixByOffset with it, AutoSwitchHAService.init reads the file as it is. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; AutoSwitchHAService.init did not change *)
EXTENDS ControllerMode

EpochFileAfterRestartOfRecoveryKeepsEpochFile(file, end) == file
==============================================================================
