----------------------------- MODULE RefinesLog -----------------------------
(***************************************************************************)
(* ControllerMode refines ReplicatedLog, with allAckInSyncStateSet=true,   *)
(* clean elections and no lost disks. The abstract log is what every       *)
(* member of the SyncStateSet has, up to the last message in it that was   *)
(* acknowledged or read: a member that lacks one makes the abstract log    *)
(* shorter, which is no step of ReplicatedLog.                             *)
(***************************************************************************)
EXTENDS Progress

\* TRUE: brokers that went down come back in the end, which the liveness part of the refinement needs.
BrokersReturn == \A b \in Broker : WF_vars(BrokerRestarts(b))

CommonLength(members) ==
  LET reaches(n) ==
        /\ \A b \in members : EndOfLog(b) >= n
        /\ \A a, b \in members : Prefix(disk[a].log, n) = Prefix(disk[b].log, n)
  IN CHOOSE n \in Offset : reaches(n) /\ (n = MaxPuts \/ ~reaches(n + 1))

Decided ==
  LET members == controller.sss
      common  == Prefix(disk[CHOOSE b \in members : TRUE].log, CommonLength(members))
      known   == { i \in DOMAIN common : common[i].id \in history.acked \cup history.consumed }
      last    == CHOOSE n \in 0..Len(common) : (n = 0 \/ n \in known) /\ \A i \in known : i <= n
  IN [i \in 1..last |-> common[i].id]

Log == INSTANCE ReplicatedLog WITH
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
RefinesReplicatedLog == Log!Spec

\* Nobody accepts messages any more, although every broker that went down came back.
RefinesServingLog == Log!SpecThatServes

ReturningSpec == FairSpec /\ BrokersReturn

=============================================================================
