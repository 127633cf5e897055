----------------------------- MODULE RefinesLog -----------------------------
(***************************************************************************)
(* ControllerMode refines ReplicatedLog, with allAckInSyncStateSet=true    *)
(* and clean elections, as long as a member of the SyncStateSet has its    *)
(* disk: explored in models, argued by lemmas/RefinementLemmas. The        *)
(* abstract log is what every such member has, up to the last message in   *)
(* it that was acknowledged or read: a member that lacks one makes the     *)
(* abstract log shorter, which is no step of ReplicatedLog.                *)
(***************************************************************************)
EXTENDS Progress

\* TRUE: brokers that went down come back in the end, which the liveness part of the refinement needs.
BrokersReturn == \A b \in Broker : WF_vars(BrokerRestarts(b))

(* The members of the set that have their disks have the same messages up to this position. *)
InCommon(i) ==
  /\ \A b \in Electable : i <= EndOfLog(b)
  /\ \A a, b \in Electable : Prefix(disk[a].log, i) = Prefix(disk[b].log, i)

Decided ==
  LET log  == disk[CHOOSE b \in Electable : TRUE].log
      ends == { i \in DOMAIN log : log[i].id \in history.acked \cup history.consumed /\ InCommon(i) }
      last == IF ends = {} THEN 0 ELSE CHOOSE i \in ends : \A j \in ends : j <= i
  IN IF Electable = {} THEN <<>> ELSE [i \in 1..last |-> log[i].id]

OneLog == INSTANCE ReplicatedLog WITH
  Leaders      <- Broker,
  Nobody       <- NoBroker,
  epoch        <- controller.masterEpoch,
  leader       <- controller.master,
  serving      <- \E b \in Broker : Leads(b),
  offered      <- used.puts,
  log          <- Decided,
  acknowledged <- history.acked,
  read         <- history.consumed

\* Seen from outside, the brokers are not one log: a message that was acknowledged or read is missing, or stands elsewhere, later.
RefinesReplicatedLog == OneLog!Spec

\* Nobody accepts messages any more, although every broker that went down came back.
RefinesServingLog == OneLog!SpecThatServes

ReturningSpec == FairSpec /\ BrokersReturn

=============================================================================
