-------------------------- MODULE ReplyHeededBySlave --------------------------
(* Hazard F-29: the reply to an AlterSyncStateSet arrives when its sender is a slave. The set {self} in it makes the
   slave take the end of its own log for the confirmOffset, so consumers on it read what no master confirmed. With the
   set {self} stored nobody else can be elected cleanly, so it takes an unclean election. Repaired: a slave does not
   heed replies of its reign as master. *)
(* CODE ReplicasManager.doReportSyncStateSetChanged hands the reply to changeSyncStateSet whatever the role is;
   AutoSwitchHAService.setSyncStateSet sets confirmOffset := computeConfirmOffset(), which for {self} is
   getMaxPhyOffset(). changeToSlave resets neither syncStateSet nor isSynchronizingSyncStateSet. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; doReportSyncStateSetChanged changed in 5.1.1, but not in this; up to 5.1.0 a slave, without
   connections, computes the end of its log for any set *)
EXTENDS AsShipped

VARIABLE
  \* Replies under way.
  \* @type: Set({ to: BROKER, members: Set(BROKER), number: Int });
  replies

withReplies == <<controller, events, disk, broker, link, connection, requests, notices, history, used, replies>>

ReplyHeeded(b)          == broker[b].role = "Master"
ReplyHeededByAnybody(b) == TRUE

(* ReplicasManager.changeSyncStateSet; a master learns the same by its next poll. Of a slave the connections are gone,
   so a set with others leaves its confirmOffset where it is. *)
ReplyArrives(r) ==
  /\ replies' = replies \ {r}
  /\ disk' = IF ReplyHeeded(r.to) /\ broker[r.to].role = "Slave" /\ r.members = {r.to}
             THEN [disk EXCEPT ![r.to].confirm = EndOfLog(r.to)] ELSE disk
  /\ UNCHANGED <<controller, events, broker, link, connection, requests, notices, history, used>>

(* A reply comes to nothing when its broker's process ends, or knows the number already. *)
Matters(r) == Up(r.to) /\ ~(broker[r.to].role = "Master" /\ broker[r.to].sssEpoch >= r.number)

Replied ==
  IF controller'.sssEpoch > controller.sssEpoch /\ controller'.masterEpoch = controller.masterEpoch
  THEN {[to |-> controller.master, members |-> controller'.sss, number |-> controller'.sssEpoch]}
  ELSE {}

InitWithReplies == Init /\ replies = {}
NextWithReplies ==
  \/ Next /\ replies' = { r \in replies \cup Replied : Matters(r)' }
  \/ \E r \in replies : ReplyArrives(r)
SpecWithReplies == InitWithReplies /\ [][NextWithReplies]_withReplies

\* A slave lets consumers read what its master has not confirmed, so they read what is cut off later.
SlaveConfirmsAfterItsMaster ==
  [][\A b \in Broker :
       broker[b].role = "Slave" /\ broker'[b].role = "Slave" /\ disk'[b].confirm > disk[b].confirm
         => link[b] # NoBroker /\ disk'[b].confirm <= ReadLimit(link[b])]_vars
==============================================================================
