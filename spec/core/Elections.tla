----------------------------- MODULE Elections -----------------------------
(***************************************************************************)
(* Two things about elections that ControllerMode leaves open, as rules    *)
(* for models in which they matter.                                        *)
(*                                                                         *)
(* Which of several candidates is taken. With all-ack every member of the  *)
(* SyncStateSet has all that was acknowledged, so any of them will do.     *)
(* With fewer acks, and with unclean elections, the ranking by epoch and   *)
(* offset (DefaultElectPolicy) decides. A heartbeat's report is taken as   *)
(* fresh; left out: the priority, which only ranks equals, and reports     *)
(* that do not follow a truncation (F-4).                                  *)
(*                                                                         *)
(* Elections that find nobody are tried again (F-5): the controller goes   *)
(* on electing while there is no master, and raises the epoch each time.   *)
(*                                                                         *)
(* Learned: with two acks of three and no all-ack, the ranking saves what  *)
(* was acknowledged from one failure, not from two, and only as long as    *)
(* nobody is elected while a better candidate is not heard.                *)
(***************************************************************************)
EXTENDS ControllerMode

Ahead(c, b) ==
  LET epochOf(x) == LastEpoch(disk[x].epochFile)
  IN epochOf(c) > epochOf(b) \/ (epochOf(c) = epochOf(b) /\ EndOfLog(c) > EndOfLog(b))

Best(candidates) == { b \in candidates : \A c \in candidates : ~Ahead(c, b) }

EligibleInRanked(members, prefer) ==
  LET living == members \cap controller.alive
  IN IF controller.master \in living /\ prefer \in {NoBroker, controller.master} THEN {controller.master}
     ELSE IF prefer # NoBroker THEN living \cap {prefer}
     ELSE Best(living)

(* The scan and the retries: also while there is no master. *)
MasterIsMissing == controller.master \notin controller.alive

-----------------------------------------------------------------------------
\* A candidate with more of the log was passed over, so messages are cut that could have been kept.
ElectBest ==
  [][LET new  == controller'.master
         from == (IF new \in controller.sss THEN EligibleCleanly ELSE EligibleUncleanly) \cap controller.alive
     IN broker' = broker /\ used' = used /\ controller.masterEpoch > 0 /\ new \notin {controller.master, NoBroker}
        => \A c \in from : ~Ahead(c, new)]_vars

\* A message that was acknowledged is missing on the broker that leads, so consumers never see it.
AckedOnLeader == \A b \in Broker : Leads(b) => history.acked \subseteq MessagesOn(b)

=============================================================================
