------------------------ MODULE HeaderEpochRemembered -------------------------
(* Hazard F-49: a slave remembers the epoch of the last header beyond its connection. It has taken the newest epoch from
   a header before any message of it came; the connection breaks; the next handshake drops the entry, since the log does
   not reach beyond its start; and the header after it names the epoch that the slave remembers, so the entry is not
   made again. Messages of that epoch lie under the one before. When the slave leads, another broker with other messages
   of that earlier epoch finds its log equal, and keeps them (with messages of equal length; otherwise its log ends
   within a message). Up to 5.3.x: since 5.4.0 (#9942, which reports an error in the log, and epoch files that differ)
   the file is not cut in a handshake at all (InsufficientTruncation). Repaired: what is remembered ends with the
   connection. *)
(* CODE AutoSwitchHAClient.processReadResult appends an entry only if masterEpoch != currentReceivedEpoch; closeMaster
   does not reset that field, only init (through reOpen, at a change of master) does; doTruncate calls
   EpochFileCache.truncateSuffixByOffset, which removes an entry that starts at the truncation point; an idle
   AutoSwitchHAConnection.sendHeartbeatIfNeeded brings an epoch that has no message yet. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.3.4; processReadResult changed in 5.1.0 and 5.1.1, but not in this; not in 5.4.0 to 5.5.1, where
   doTruncate leaves the file *)
EXTENDS AsShipped

VARIABLE
  \* currentReceivedEpoch: the epoch of the last header that the slave took (0: none).
  \* @type: BROKER -> Int;
  received

withReceived == <<controller, events, disk, broker, link, connection, requests, notices, history, used, received>>

EpochFileOnNewHeader(s, file, x) == IF x.epoch = received[s] THEN file ELSE AppendNewerWins(file, x)

(* What is left of it when the slave has no connection. *)
ReceivedAfterBreak(s)            == 0
ReceivedAfterBreakOfHeaderEpochRemembered(s) == received[s]

(* AutoSwitchHAClient.init: the client is made anew with the process, the role, and another master. *)
ClientIsNew(s) == broker'[s].role # "Slave" \/ broker[s].role # "Slave" \/ broker'[s].master # broker[s].master

(* The header's epoch is the one that the connection transfers. *)
ReceivedNext(s) ==
  IF ClientIsNew(s) THEN 0
  ELSE IF link'[s] = NoBroker THEN ReceivedAfterBreak(s)
  ELSE LET now == connection'[link'[s]][s].transferEpoch IN IF now = 0 THEN received[s] ELSE now

InitWithReceived == Init /\ received = [s \in Broker |-> 0]
NextWithReceived == Next /\ received' = [s \in Broker |-> ReceivedNext(s)]
SpecWithReceived == InitWithReceived /\ [][NextWithReceived]_withReceived

(* What HeaderEpochRememberedLoss explores, so that the search is short: in the first reign a message that the second
   broker has and one that it has not; then the second broker leads, then the third, of which the first is the slave. *)
OnTheWay ==
  LET second == FirstSyncStateSet \ {FirstMaster}
      third  == Broker \ FirstSyncStateSet
  IN CASE controller.masterEpoch = 1 ->
            used.breaks + used.alters = 0 /\ (\A s \in third : link[s] = NoBroker)
       [] controller.masterEpoch = 2 ->
            /\ controller.master \in second
            /\ EndOfLog(FirstMaster) = 2 /\ broker[FirstMaster].role = "Master"
            /\ \A b \in second : EndOfLog(b) >= 1 /\ disk[b].log[1] = disk[FirstMaster].log[1]
       [] OTHER -> controller.master \in third
==============================================================================
