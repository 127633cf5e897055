------------------------------ MODULE Issue9942 ------------------------------
(* apache/rocketmq #9942 (hazard F-20): a master that is elected before anything was written under the epoch before
   does not get its own entry, because it would begin at the same offset. Its messages lie under the older epoch, and
   two logs that differ are judged equal. Repaired: the newer epoch replaces the entry. *)
(* CODE EpochFileCache.appendEntry returns false where lastEntry.startOffset >= entry.startOffset;
   AutoSwitchHAService.changeToMaster ignores it. *)
EXTENDS ControllerMode

EpochFileAtPromotionOfIssue9942(file, e, logEnd) == AppendAsShipped(file, Entry(e, logEnd))
=============================================================================
