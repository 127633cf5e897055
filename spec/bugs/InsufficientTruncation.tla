----------------------- MODULE InsufficientTruncation -----------------------
(* Not enough, and worse: the repair of #9942 that is in 5.4.0 to 5.5.1. A slave is to cut its epoch file only where it cut
   its log; but the end of the log is read after the cut, where it equals the truncation point, so the file is never cut in a
   handshake. An entry of its own reign stays, and the entry of the new master that begins at the same offset is refused
   (F-20): what it copies lies under the wrong epoch. At the next handshake it finds no later entry in common, and cuts
   messages that it has acknowledged as a member (InsufficientTruncationLoss). Repaired: the file is cut with the log. *)
(* CODE AutoSwitchHAClient.doTruncate of 5.4.0, 5.5.0 and 5.5.1: messageStore.truncateFiles(truncateOffset), then
   maxPhyOffset = messageStore.getMaxPhyOffset(), then truncateSuffixByOffset only if truncateOffset < maxPhyOffset;
   DefaultMessageStore.truncateFiles has moved the end to truncateOffset. EpochFileCache.appendEntry refuses an entry whose
   startOffset is not greater than the last one. Before (snapshot, 5.3.x) the file was cut always. *)
(* REPORT read from the code: no report that we know of; the change is #9942's. *)
(* RELEASES 5.4.0 to 5.5.1; before, doTruncate cut the file always *)
EXTENDS AsShipped, InsufficientRemoval

EpochFileNeverCut(s, m, point) == disk[s].epochFile

(* What InsufficientTruncationLoss explores, so that the search is short: a message in the first reign, none in the second,
   and a connection that breaks when the message of the third is acknowledged. *)
OneMessageInEachReignButTheSecond ==
  /\ controller.masterEpoch >= 2 => used.puts >= 1 /\ \A b \in Broker : Len(disk[b].log) >= 1
  /\ controller.masterEpoch <= 2 => used.puts <= 1
  /\ used.breaks = 1 => 2 \in history.acked
=============================================================================
