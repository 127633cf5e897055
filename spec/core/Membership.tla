----------------------------- MODULE Membership -----------------------------
(***************************************************************************)
(* Who gets out of the SyncStateSet and back in. In ControllerMode a       *)
(* master proposes changes of the set from a budget, so nothing can be     *)
(* said about what happens in the end. Here it proposes as the broker's    *)
(* timers do: again and again, as long as there is a reason, although      *)
(* requests are lost. What bounds a behaviour is that without faults the   *)
(* reasons run out: MaxSets only bounds the number of the set, and the     *)
(* invariant SetNumbersSuffice says that no behaviour comes to that bound. *)
(*                                                                         *)
(* Learned: the repaired rule "only a greater number of the set resolves a *)
(* proposal" (see ControllerMode) is safe, but alone it stops the broker   *)
(* set. A slave is proposed and dies before the controller answers: the    *)
(* proposal is refused, acknowledgements ask the dead slave for ever, and  *)
(* since the stored set needs no change nothing moves its number. The Java *)
(* has the same hole (a refused AlterSyncStateSet leaves the set           *)
(* "synchronizing"). A master must be able to have the stored set stored   *)
(* again under a new number (bugs/InsufficientRenewal), and only where no  *)
(* member is behind that is to be removed (bugs/InsufficientOrder).        *)
(*                                                                         *)
(* Which master is elected, and what is promised while all this goes on,   *)
(* is the business of ControllerMode; only what follows is new.            *)
(***************************************************************************)
EXTENDS Progress

CONSTANT
  \* No set with a greater number is proposed. A .cfg puts SetNumber in the place of SssEpoch.
  \* @type: Int;
  MaxSets

SetNumber == 0..MaxSets

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Is s out of step with its master b for so long that it has to leave? Time is not modelled: whenever this is so,
   the time may have run out. What counts is what s has acknowledged, not what was sent to it. *)
FallenBehind(b, s) == ~connection[b][s].open \/ connection[b][s].ack < EndOfLog(b)

(* Does the check come to its end when there is somebody to remove? *)
ShrinkCheckEnds(b) == TRUE

(* AlterSyncStateSet with the set that is stored already: accepted, so that its number rises and every earlier request
   becomes void. Everything else as in Rules, where such a request is refused as in the Java. *)
AlterCodeWithRenewal(r) ==
  CASE controller.master # r.from                -> "INVALID_MASTER"
    [] controller.masterEpoch # r.masterEpoch    -> "FENCED_MASTER_EPOCH"
    [] controller.sssEpoch # r.sssEpoch          -> "FENCED_SYNC_STATE_SET_EPOCH"
    [] ~(r.members \subseteq Broker)             -> "INVALID_REPLICAS"
    [] ~(r.members \subseteq controller.alive)   -> "BROKER_NOT_ALIVE"
    [] r.from \notin r.members                   -> "ALTER_SYNC_STATE_SET_FAILED"
    [] OTHER                                     -> "SUCCESS"

(* May a master ask for the stored set again? In the Java none does: ReplicasManager.checkSyncStateSetAndDoReport returns
   where the set has not changed, and ReplicasInfoManager.alterSyncStateSet refuses. Repaired: while no member is behind. A
   renewal empties the proposals; where it overtakes the removal of who is behind, a slave that hangs, too, is proposed anew
   and renewed away again, without end. *)
MayBeRenewed(b) == \A s \in broker[b].sss \ {b} : ~FallenBehind(b, s)

-----------------------------------------------------------------------------
(* A proposal without a budget; the same one is not sent twice while it is under way. *)
ProposeAgain(b, members) ==
  /\ broker[b].sssEpoch < MaxSets
  /\ AlterRequest(b, members) \notin requests
  /\ requests' = StillPossible(requests \cup {AlterRequest(b, members)}, controller)
  /\ broker' = [broker EXCEPT ![b].pending = PendingWith(b, members)]
  /\ disk' = [disk EXCEPT ![b].confirm = ConfirmAtProposal(b)]
  /\ UNCHANGED <<controller, events, link, connection, notices, history, used>>

(* checkSyncStateSetAndDoReport, every 5 s *)
SyncStateSetIsChecked(b) ==
  LET behind == { s \in broker[b].sss \ {b} : FallenBehind(b, s) }
  IN
  /\ broker[b].role = "Master"
  /\ behind # {}
  /\ ShrinkCheckEnds(b)
  /\ ProposeAgain(b, broker[b].sss \ behind)

(* maybeExpandInSyncStateSet, with every ack; an idle slave sends one every 5 s. *)
CaughtUpSlaveIsProposed(b, s) ==
  /\ broker[b].role = "Master"
  /\ connection[b][s].open
  /\ s \notin broker[b].sss
  /\ ExpandGuard(b, s)
  /\ ProposeAgain(b, broker[b].sss \cup {s})

(* A proposed member fell behind before its proposal was stored. The controller refuses the proposal as long as that
   broker is not alive, the master may not forget it, and acknowledgements wait for a broker outside the set: only a
   greater number of the set resolves it. *)
SyncStateSetIsRenewed(b) ==
  /\ broker[b].role = "Master"
  /\ MayBeRenewed(b)
  /\ \E s \in broker[b].pending \ broker[b].sss : FallenBehind(b, s)
  /\ ProposeAgain(b, broker[b].sss)

RequestIsLost(r) ==
  /\ requests' = requests \ {r}
  /\ UNCHANGED <<controller, events, disk, broker, link, connection, notices, history, used>>

SomeAlterIsAccepted == \E r \in requests : ControllerAcceptsAlter(r)

NextWithTimers ==
  \/ Next
  \/ \E r \in requests : RequestIsLost(r)
  \/ \E b \in Broker : SyncStateSetIsChecked(b)
  \/ \E b, s \in Broker : CaughtUpSlaveIsProposed(b, s)
  \/ \E b \in Broker : SyncStateSetIsRenewed(b)

-----------------------------------------------------------------------------
(* What the controller and the masters do in the end. Slaves may hang, requests may be lost, but not every time. *)
MastersAreFair ==
  /\ \A b \in Broker :
       /\ WF_vars(HeartbeatArrives(b))
       /\ WF_vars(~Up(b) /\ HeartbeatExpires(b))
       /\ WF_vars(ControllerElectsMaster(b))
       /\ \A new \in Broker : WF_vars(BrokerRequestsElection(b, new))
       /\ WF_vars(BecomeMaster(b))
       /\ WF_vars(RestartedBrokerIsElected(b))
       /\ WF_vars(BecomeSlave(b))
       /\ WF_vars(LearnSyncStateSet(b))
       /\ WF_vars(SyncStateSetIsChecked(b))
       /\ WF_vars(SyncStateSetIsRenewed(b))
       /\ \A s \in Broker : WF_vars(CaughtUpSlaveIsProposed(b, s))
       /\ \A id \in Message : WF_vars(AcknowledgePut(b, id))
  /\ WF_vars(ControllerFindsNoMaster)
  /\ SF_vars(SomeAlterIsAccepted)

SlavesAreFair ==
  \A s \in Broker :
    /\ WF_vars(SlaveConnectsAndTruncates(s))
    /\ WF_vars(SlaveAppendsBatch(s))
    /\ WF_vars(MasterReceivesAck(s))

SlavesMayHang == Init /\ [][NextWithTimers]_vars /\ MastersAreFair
NobodyHangs   == SlavesMayHang /\ SlavesAreFair

SetNumbersSuffice == controller.sssEpoch < MaxSets

-----------------------------------------------------------------------------
\* A member that does not follow any more stays in the SyncStateSet, so with all-ack every message times out for ever.
EventuallyShrunk ==
  \A b, s \in Broker :
    <>[](Leads(b) /\ s # b /\ (~connection[b][s].open \/ connection[b][s].ack < EndOfLog(b)))
      => <>[](s \notin controller.sss)

\* A message stays unanswered at a master that goes on leading, so its producer runs into the time-out every time.
EventuallyAcknowledged ==
  \A b \in Broker, id \in Message : ~<>[](Leads(b) /\ id \in broker[b].waiting)

\* A slave that runs and follows never gets back into the SyncStateSet, so the next failure of the master loses availability or data.
EventuallyExpanded ==
  \A s \in Broker \ Learners :
    <>[](Up(s) /\ \E b \in Broker : Leads(b)) => <>[](s \in controller.sss)

=============================================================================
