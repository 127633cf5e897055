---------------------------- MODULE CheckThenMark -----------------------------
(* Hazard F-48, check, then mark: whether a slave has caught up is asked first, and the proposed set is marked
   afterwards. A message that is appended and acknowledged in between asks nobody but the old set; the slave joins
   without it. Repaired: ask again once the set is marked, since from then on acknowledgements wait for the slave. *)
(* CODE AutoSwitchHAService.maybeExpandInSyncStateSet, on the connection's read thread and under no lock: it reads
   getLocalSyncStateSet, getConfirmOffset and lastEntry, and calls markSynchronizingSyncStateSet afterwards; meanwhile
   CommitLog.asyncPutMessage appends and GroupTransferService.doWaitTransfer asks getSyncStateSet. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.1.1 to 5.5.1; maybeExpandInSyncStateSet did not change; before, nothing is marked (Issue5663) *)
EXTENDS ControllerMode

VARIABLE
  \* Slaves that were found to have caught up and are not proposed yet, with the set that was computed.
  \* @type: Set({ master: BROKER, slave: BROKER, members: Set(BROKER) });
  checked

withChecked == <<controller, events, disk, broker, link, connection, requests, notices, history, used, checked>>

(* Does it still hold once the set is marked? *)
HoldsAtMark(c) == c.slave \notin broker[c.master].sss /\ ExpandGuard(c.master, c.slave)
NotAskedAtMark(c) == TRUE

ExpandIsChecked(b, s) ==
  /\ used.alters < MaxAlters
  /\ broker[b].role = "Master"
  /\ connection[b][s].open
  /\ s \notin broker[b].sss
  /\ ExpandGuard(b, s)
  /\ checked' = checked \cup {[master |-> b, slave |-> s, members |-> broker[b].sss \cup {s}]}
  /\ UNCHANGED vars

ExpandIsMarked(c) ==
  /\ used.alters < MaxAlters
  /\ HoldsAtMark(c)
  /\ Propose(c.master, c.members, broker[c.master].sss)
  /\ checked' = checked \ {c}

(* The thread that checks ends with its connection. *)
Goes(c) == broker[c.master].role = "Master" /\ connection[c.master][c.slave].open

InitWithChecked == Init /\ checked = {}
NextWithChecked ==
  \/ Next /\ checked' = { c \in checked : Goes(c)' }
  \/ \E b, s \in Broker : ExpandIsChecked(b, s)
  \/ \E c \in checked : ExpandIsMarked(c)
SpecWithChecked == InitWithChecked /\ [][NextWithChecked]_withChecked
==============================================================================
