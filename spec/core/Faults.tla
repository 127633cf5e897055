------------------------------- MODULE Faults -------------------------------
(***************************************************************************)
(* Crashes, lost tails, restarts, lost disks, broken connections. Each is  *)
(* bounded by its budget.                                                  *)
(***************************************************************************)
EXTENDS Rules

(* The process of b ends in the given role: its knowledge, its connections and its queued proposals are gone,
   requests that left it are not. *)
ProcessEnds(b, role) ==
  /\ broker' = [broker EXCEPT ![b] = Blank(role)]
  /\ link' = LinksWithout({b}, {b})
  /\ connection' = ConnectionsWithout({b}, {b})
  /\ requests' = { r \in requests : r.sent \/ r.from # b }

ProcessCrashes(b) ==
  /\ used.crashes < MaxCrashes
  /\ Up(b)
  /\ ProcessEnds(b, "Down")
  /\ used' = [used EXCEPT !.crashes = @ + 1]
  /\ UNCHANGED <<controllerVars, disk, notices, history>>

(* How much of its log may be left when a machine fails: some of what it had not flushed is gone. *)
KeptByMachine(b) == disk[b].flushed..(EndOfLog(b) - 1)

(* The same of a process with a pool of its own (transientStorePoolEnable): a master loses what it had not committed to
   its file, and it sends to slaves only what it had (DefaultMappedFile.getReadPosition). A slave writes to the file. *)
KeptByPool(b) ==
  IF broker[b].role # "Master" THEN {EndOfLog(b)}
  ELSE { n \in disk[b].flushed..EndOfLog(b) :
           \A i \in (n + 1)..EndOfLog(b), c \in Broker \ {b} : disk[b].log[i].id \notin MessagesOn(c) }

(* The machine fails: of the bytes that were not flushed only some, from the front, are left. What lies behind the hole,
   older bytes too, is not found again: recovery ends at the hole. *)
MachineCrashes(b, kept) ==
  /\ used.losses < MaxLosses
  /\ Up(b)
  /\ kept \in KeptByMachine(b)
  /\ ProcessEnds(b, "Down")
  /\ disk' = [disk EXCEPT ![b] = [WithLog(@, Prefix(@.log, kept)) EXCEPT !.flushed = kept, !.confirm = disk[b].confirm,
                                                                         !.residue = <<>>]]
  /\ used' = [used EXCEPT !.losses = @ + 1]
  /\ UNCHANGED <<controllerVars, notices, history>>

BrokerRestarts(b) ==
  /\ broker[b].role = "Down"
  /\ LET d    == disk[b]
         log  == LogAfterRestart(d)
         role == RoleAfterRestart(b)
     IN /\ broker' = [broker EXCEPT ![b] = role]
        /\ disk' = [disk EXCEPT ![b] =
             [log |-> log, flushed |-> Len(log), epochFile |-> EpochFileAfterRestart(d.epochFile, Len(log)),
              confirm |-> ConfirmAfterRestart(d, Len(log)), residue |-> <<>>]]
  /\ UNCHANGED <<controllerVars, replicationVars, messageVars, history, used>>

(* The disk is lost. The identity lies on it, so the broker does not come back under its id. *)
DiskIsLost(b) ==
  /\ used.lostDisks < MaxLostDisks
  /\ Up(b)
  /\ ProcessEnds(b, RoleAfterLostDisk)
  /\ disk' = [disk EXCEPT ![b] = [log |-> <<>>, flushed |-> 0, epochFile |-> <<>>, confirm |-> 0, residue |-> <<>>]]
  /\ used' = [used EXCEPT !.lostDisks = @ + 1]
  /\ UNCHANGED <<controllerVars, notices, history>>

(* A connection ends though both processes run. *)
ConnectionBreaks(s) ==
  /\ used.breaks < MaxBreaks
  /\ link[s] # NoBroker
  /\ link' = LinksWithout({}, {s})
  /\ connection' = ConnectionsWithout({}, {s})
  /\ used' = [used EXCEPT !.breaks = @ + 1]
  /\ UNCHANGED <<controllerVars, brokerVars, messageVars, history>>

=============================================================================
