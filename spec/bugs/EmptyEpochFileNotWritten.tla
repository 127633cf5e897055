----------------------- MODULE EmptyEpochFileNotWritten -----------------------
(* Hazard F-7: an epoch file that became empty is not written. A slave that is cut to nothing forgets its entries, and
   finds them again after a restart: with them it computes a truncation point beyond its empty log and reports that as
   copied (as in F-13, which recovery's cut of the file prevents, too: RecoveryKeepsEpochFile). Only after an unclean
   election: its master has less than it. Repaired: an empty file is written like any other. *)
(* CODE EpochFileCache.flush hands an empty list to CheckpointFile.write, which writes nothing; reached from
   AutoSwitchHAClient.doTruncate through truncateSuffixByOffset(0). After the restart AutoSwitchHAService.init reads
   the old entries, doTruncate finds one of them at the master, truncateFiles accepts an offset beyond the log, and
   the idle report acknowledges it. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; EpochFileCache.flush did not change *)
EXTENDS AsShipped

VARIABLE
  \* The epoch file as it lies on the disk; disk[b].epochFile is what the process has in memory.
  \* @type: BROKER -> Seq({ epoch: Int, start: Int });
  written

withWritten == <<controller, events, disk, broker, link, connection, requests, notices, history, used, written>>

(* EpochFileCache.flush *)
FileWritten(old, new)            == new
FileWrittenUnlessEmpty(old, new) == IF new = <<>> THEN old ELSE new

BrokerRestartsWithWritten(b) ==
  /\ broker[b].role = "Down"
  /\ LET d   == disk[b]
         log == LogAfterRestart(d)
     IN /\ broker' = [broker EXCEPT ![b] = RoleAfterRestart(b)]
        /\ disk' = [disk EXCEPT ![b] =
             [log |-> log, flushed |-> Len(log), epochFile |-> EpochFileAfterRestart(written[b], Len(log)),
              confirm |-> ConfirmAfterRestart(d, Len(log)), residue |-> <<>>]]
  /\ UNCHANGED <<controller, events, link, connection, requests, notices, history, used>>

InitWithWritten == Init /\ written = [b \in Broker |-> disk[b].epochFile]
NextWithWritten == Next /\ written' = [b \in Broker |-> FileWritten(written[b], disk'[b].epochFile)]
SpecWithWritten == InitWithWritten /\ [][NextWithWritten]_withWritten
==============================================================================
