------------------------------ MODULE CopyGoals ------------------------------
(***************************************************************************)
(* What AllCopiesLemmas and CleanCopiesLemmas say of what every replica    *)
(* has acknowledged, and under which settings: inSyncReplicas = all of     *)
(* them, no machine that loses a tail, every minInSyncReplicas and         *)
(* flushDiskType. A slave reports what it has received, and                *)
(* minInSyncReplicas is asked before the append only, as RocketMQ does;    *)
(* other rules as repaired.                                                *)
(***************************************************************************)
EXTENDS AckedInvariant, LogGoals, Operations

HasDisk(b) == broker[b].role # "Lost"

LossesAreCounted == used.losses >= 0

(* What was acknowledged is on every disk that is left. *)
CopiesAreKept ==
  \A b \in Broker : HasDisk(b) => \A id \in history.acked : \E i \in DOMAIN Log(b) : Log(b)[i].id = id

ASSUME AllAcknowledge ==
  /\ ~AllAck /\ InSyncReplicas = Cardinality(Broker)
  /\ MaxLosses = 0

=============================================================================
