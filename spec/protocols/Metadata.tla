------------------------------- MODULE Metadata -------------------------------
(***************************************************************************)
(* What lies beside the log: topics, consumer groups and their offsets.    *)
(* They are changed at the master and answered at once; slaves copy them   *)
(* from time to time (SlaveSynchronize.syncAll, every ten seconds), and in *)
(* Controller mode each of them may become master in between.              *)
(*                                                                         *)
(* An item is a topic, a group, or the commit of an offset: that a later   *)
(* offset replaces an earlier one is left out. So are the log, the set and *)
(* epochs (ControllerMode): any broker may be elected, as any member may.  *)
(*                                                                         *)
(* Learned: nothing beside the log is kept by what keeps the log. Only an  *)
(* answer that waits for the copies keeps it (bugs/AnsweredBeforeCopied).  *)
(* A copy must replace what was there at once, and on disk                 *)
(* (bugs/DeletedBeforeCopied, bugs/Issue9206).                             *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  \* @type: Set(BROKER);
  Broker,
  \* @type: BROKER;
  FirstMaster,
  \* @type: Set(Int);
  Item,
  \* @type: Int;
  MaxElections,
  \* @type: Int;
  MaxRestarts

VARIABLES
  \* @type: BROKER;
  master,
  \* What a broker serves, and what of it is on its disk.
  \* @type: BROKER -> Set(Int);
  table,
  \* @type: BROKER -> Set(Int);
  disk,
  \* What a slave has fetched while it replaces its own; `under`: is it under way?
  \* @type: BROKER -> { under: Bool, items: Set(Int) };
  copy,
  \* Items whose creation was answered with success.
  \* @type: Set(Int);
  answered,
  \* @type: { elections: Int, restarts: Int };
  used

vars == <<master, table, disk, copy, answered, used>>

NoCopy == [under |-> FALSE, items |-> {}]

TypeOK ==
  /\ master \in Broker
  /\ table \in [Broker -> SUBSET Item] /\ disk \in [Broker -> SUBSET Item]
  /\ copy \in [Broker -> [under : BOOLEAN, items : SUBSET Item]]
  /\ answered \subseteq Item
  /\ used.elections \in 0..MaxElections /\ used.restarts \in 0..MaxRestarts

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Is a creation answered when all others have it? *)
AnsweredWhenCopied == TRUE

(* Does a slave replace what it has in one step? *)
ReplacedAtOnce == TRUE

(* Is what a slave copied written to its disk? *)
CopyIsPersisted == TRUE

-----------------------------------------------------------------------------
Init ==
  /\ master = FirstMaster
  /\ table = [b \in Broker |-> {}]
  /\ disk = [b \in Broker |-> {}]
  /\ copy = [b \in Broker |-> NoCopy]
  /\ answered = {}
  /\ used = [elections |-> 0, restarts |-> 0]

(* AdminBrokerProcessor.updateAndCreateTopic, updateAndCreateSubscriptionGroup, ConsumerManageProcessor.updateConsumerOffset;
   TopicConfigManager.updateTopicConfig persists. *)
ItemIsCreated(i) ==
  /\ i \notin table[master]
  /\ table' = [table EXCEPT ![master] = @ \cup {i}]
  /\ disk' = [disk EXCEPT ![master] = @ \cup {i}]
  /\ answered' = IF AnsweredWhenCopied THEN answered ELSE answered \cup {i}
  /\ UNCHANGED <<master, copy, used>>

CreationIsAnswered(i) ==
  /\ AnsweredWhenCopied
  /\ i \notin answered
  /\ \A b \in Broker : i \in table[b]
  /\ answered' = answered \cup {i}
  /\ UNCHANGED <<master, table, disk, copy, used>>

(* SlaveSynchronize.syncTopicConfig and the others: the master's items are fetched, and replace what was there. *)
SlaveSynchronizes(s) ==
  /\ s # master
  /\ ~copy[s].under
  /\ table[s] # table[master]
  /\ IF ReplacedAtOnce
     THEN /\ table' = [table EXCEPT ![s] = table[master]]
          /\ disk' = [disk EXCEPT ![s] = IF CopyIsPersisted THEN table[master] ELSE @]
          /\ UNCHANGED copy
     ELSE /\ table' = [table EXCEPT ![s] = {}]
          /\ disk' = [disk EXCEPT ![s] = {}]
          /\ copy' = [copy EXCEPT ![s] = [under |-> TRUE, items |-> table[master]]]
  /\ UNCHANGED <<master, answered, used>>

(* The second half, where it has two; whatever the broker has become meanwhile. *)
SynchronizationEnds(s) ==
  /\ copy[s].under
  /\ table' = [table EXCEPT ![s] = copy[s].items]
  /\ disk' = [disk EXCEPT ![s] = IF CopyIsPersisted THEN copy[s].items ELSE @]
  /\ copy' = [copy EXCEPT ![s] = NoCopy]
  /\ UNCHANGED <<master, answered, used>>

ControllerElectsMaster(b) ==
  /\ used.elections < MaxElections
  /\ b # master
  /\ master' = b
  /\ used' = [used EXCEPT !.elections = @ + 1]
  /\ UNCHANGED <<table, disk, copy, answered>>

BrokerRestarts(b) ==
  /\ used.restarts < MaxRestarts
  /\ table' = [table EXCEPT ![b] = disk[b]]
  /\ copy' = [copy EXCEPT ![b] = NoCopy]
  /\ used' = [used EXCEPT !.restarts = @ + 1]
  /\ UNCHANGED <<master, disk, answered>>

Next ==
  \/ \E i \in Item : ItemIsCreated(i)
  \/ \E i \in Item : CreationIsAnswered(i)
  \/ \E s \in Broker : SlaveSynchronizes(s)
  \/ \E s \in Broker : SynchronizationEnds(s)
  \/ \E b \in Broker : ControllerElectsMaster(b)
  \/ \E b \in Broker : BrokerRestarts(b)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* A topic, a group or an offset whose creation was answered is missing at the master, so clients are refused or consume again.
CreatedIsKept == answered \subseteq table[master]

\* A broker serves what neither it nor its master was told, or something else than it has on its disk; an answer comes before the copies, or is taken back.
MetadataChanges ==
  [][/\ IF master' = master THEN used'.elections = used.elections
        ELSE used'.elections = used.elections + 1 /\ UNCHANGED table
     /\ \A b \in Broker : table'[b] # table[b] =>
          IF b = master THEN \E i \in Item \ table[b] : table'[b] = table[b] \cup {i} ELSE table'[b] = table[master]
     /\ \A b \in Broker : disk'[b] # disk[b] => disk'[b] = table'[b]
     /\ answered \subseteq answered'
     /\ \A i \in answered' \ answered : \A b \in Broker : i \in table[b]]_vars
==============================================================================
