------------------------------ MODULE Issue9942 ------------------------------
(* Hazard F-20, read from the code: a master that is elected before anything was written under the epoch before does not
   get its own entry, because it would begin at the same offset. Its messages lie under the older epoch, and two logs
   that differ are judged equal. apache/rocketmq #9942 (merged, in 5.4.0) reports an error in the old master's log after
   failovers without writes, and epoch files that differ; what it changes is the slave's truncation of the file
   (HeaderEpochRemembered). EpochFileCache.appendEntry is the same in 5.5.1. Repaired: the newer epoch replaces the
   entry. *)
(* CODE EpochFileCache.appendEntry returns false where lastEntry.startOffset >= entry.startOffset;
   AutoSwitchHAService.changeToMaster ignores it. *)
(* REPORT read from the code: F-20; what #9942 reports is another thing. *)
(* RELEASES 5.0.0 to 5.5.1 *)
EXTENDS ControllerMode

EpochFileAtPromotionOfIssue9942(file, e, logEnd) == AppendAsShipped(file, Entry(e, logEnd))
=============================================================================
