---------------------------- MODULE ReplicatedLog ----------------------------
(***************************************************************************)
(* What Controller mode is for, without brokers: one log. Producers offer  *)
(* messages; a message is put into the log at the latest when its producer *)
(* is told that it is stored or a consumer reads it; the log only grows at *)
(* its end, whoever is elected in between. A message that was offered and  *)
(* neither acknowledged nor read may be lost: that is the time-out of its  *)
(* producer.                                                               *)
(*                                                                         *)
(* With allAckInSyncStateSet=true and clean elections ControllerMode       *)
(* refines this (RefinesLog.tla): nothing here mentions a SyncStateSet, a  *)
(* confirmOffset or an epoch file.                                         *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  \* Whoever may be elected.
  \* @type: Set(BROKER);
  Leaders,
  \* Stands for "nobody".
  \* @type: BROKER;
  Nobody

VARIABLES
  \* The epoch and its leader; an epoch may have none.
  \* @type: Int;
  epoch,
  \* @type: BROKER;
  leader,
  \* Does the leader accept messages?
  \* @type: Bool;
  serving,
  \* How many messages were offered; they are 1, 2, ...
  \* @type: Int;
  offered,
  \* The messages that are decided, in their order.
  \* @type: Seq(Int);
  log,
  \* Messages whose producers were told, and messages that consumers have read.
  \* @type: Set(Int);
  acknowledged,
  \* @type: Set(Int);
  read

all == <<epoch, leader, serving, offered, log, acknowledged, read>>

In(s) == { s[i] : i \in DOMAIN s }

Init ==
  /\ epoch \in {0, 1}
  /\ leader \in Leaders \cup {Nobody}
  /\ serving \in BOOLEAN
  /\ offered = 0
  /\ log = <<>>
  /\ acknowledged = {}
  /\ read = {}

(* A new epoch, with or without a leader; a leader may serve at once. *)
Elect ==
  /\ epoch' = epoch + 1
  /\ leader' \in Leaders \cup {Nobody}
  /\ serving' \in BOOLEAN
  /\ UNCHANGED <<offered, log, acknowledged, read>>

(* The leader begins to serve. *)
Serve ==
  /\ ~serving
  /\ serving' = TRUE
  /\ UNCHANGED <<epoch, leader, offered, log, acknowledged, read>>

(* The leader fails, or is deposed and does not know it. *)
Fail ==
  /\ serving
  /\ serving' = FALSE
  /\ UNCHANGED <<epoch, leader, offered, log, acknowledged, read>>

(* Nobody knows any more who leads the epoch, which is kept: an administrator cleaned the metadata. *)
Forget ==
  /\ leader # Nobody
  /\ leader' = Nobody
  /\ serving' = FALSE
  /\ UNCHANGED <<epoch, offered, log, acknowledged, read>>

Offer ==
  /\ offered' = offered + 1
  /\ UNCHANGED <<epoch, leader, serving, log, acknowledged, read>>

(* The log grows at its end by messages that were offered and are not in it yet, or not at all. *)
Orders(n) == UNION { [1..k -> 1..n] : k \in 0..n }

LogGrows ==
  \E tail \in Orders(offered) :
    /\ Cardinality(In(tail)) = Len(tail)
    /\ In(tail) \cap In(log) = {}
    /\ log' = log \o tail

Acknowledge ==
  /\ LogGrows
  /\ \E m \in In(log') \ acknowledged : acknowledged' = acknowledged \cup {m}
  /\ UNCHANGED <<epoch, leader, serving, offered, read>>

(* A consumer reads from the beginning to some point. *)
Read ==
  /\ LogGrows
  /\ \E n \in 1..Len(log') : read' = read \cup In(SubSeq(log', 1, n))
  /\ UNCHANGED <<epoch, leader, serving, offered, acknowledged>>

Next == Elect \/ Serve \/ Fail \/ Forget \/ Offer \/ Acknowledge \/ Read

Spec == Init /\ [][Next]_all

-----------------------------------------------------------------------------
\* What a producer was told or a consumer has read is not in the log.
NothingPromisedIsLost == acknowledged \cup read \subseteq In(log)

\* What was read is no beginning of the log: a consumer missed a message that stands before one it has read.
ReadFromTheBeginning == \E n \in 0..Len(log) : read = In(SubSeq(log, 1, n))

(* Bounds for a check of this module by itself. *)
Small == epoch <= 2 /\ offered <= 3

(* Whatever fails, in the end somebody serves again. *)
SpecThatServes == Spec /\ WF_all(Serve)

=============================================================================
