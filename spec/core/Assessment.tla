----------------------------- MODULE Assessment -----------------------------
(***************************************************************************)
(* The questions of Operations about many broker sets with one compiled    *)
(* program: what the settings decide is read from the state, where it      *)
(* never changes, and so are the budgets, as what is already used of them  *)
(* at the start. For one broker set this is Operations with constants; the *)
(* two variables more add no state, since `answers` follows from the rest. *)
(* `rmqproof assess` explores this and writes stories as behaviours of     *)
(* Operations.                                                             *)
(***************************************************************************)
EXTENDS Operations, TLC

VARIABLES
  \* allAckInSyncStateSet, inSyncReplicas, minInSyncReplicas, enableElectUncleanMaster, flushDiskType, readUnCommitted; may a
  \* crash lose bytes (what no slave has, of a process with transientStorePoolEnable), and may a master miss for a while that a connection is gone?
  \* @type: { allAck: Bool, acks: Int, minimum: Int, unclean: Bool, syncFlush: Bool, readAll: Bool, lossy: Bool, pool: Bool, halfOpen: Bool };
  settings,
  \* Which of the questions is answered yes by this state.
  \* @type: { lost: Bool, twoMasters: Bool, readTruncated: Bool, majorityStalls: Bool, oneLossStalls: Bool, manualRepair: Bool };
  answers

assessed == <<controller, events, disk, broker, link, connection, requests, notices, history, used, settings, answers>>

\* One more than there are replicas stands for all that cannot be met.
Number == 1..(Cardinality(Broker) + 1)

Answers ==
  [lost           |-> ~AcknowledgedIsKept,
   twoMasters     |-> ~OneBrokerAcceptsPuts,
   readTruncated  |-> ~ConsumedIsKept,
   majorityStalls |-> ~MajorityServesWrites,
   oneLossStalls  |-> ~WritesSurviveOneLoss,
   manualRepair   |-> ~NoManualRepair]

-----------------------------------------------------------------------------
(* In the place of the constants and rules of the same names *)

AllAckOfSettings           == settings.allAck
InSyncReplicasOfSettings   == settings.acks
MinInSyncReplicasOfSettings == settings.minimum
UncleanElectionOfSettings  == settings.unclean
HalfOpenOfSettings         == settings.halfOpen

WithLogOfSettings(d, log) ==
  [d EXCEPT !.log = log, !.flushed = IF settings.lossy THEN Smaller(d.flushed, Len(log)) ELSE Len(log),
            !.confirm = Smaller(d.confirm, Len(log))]

KeptByMachineOfSettings(b) == IF settings.pool THEN KeptByPool(b) ELSE disk[b].flushed..(EndOfLog(b) - 1)

DurableEndOfSettings(b) == IF settings.syncFlush THEN DurableEndSyncFlush(b) ELSE DurableEndAsyncFlush(b)

DispatchLimitOfSettings(b) ==
  IF settings.readAll THEN DispatchLimitUncommitted(b) ELSE Smaller(ReadLimit(b), EndOfLog(b))

ConfirmAfterFlushOfSettings(b) ==
  IF settings.syncFlush /\ broker[b].role = "Master"
  THEN ConfirmAtMaster(b, Union(b), Connected(b), AcksOn(b), EndOfLog(b), disk[b].confirm)
  ELSE disk[b].confirm

-----------------------------------------------------------------------------
AssessmentInit ==
  /\ Init
  /\ settings \in [allAck : BOOLEAN, acks : Number, minimum : Number, unclean : BOOLEAN, syncFlush : BOOLEAN, readAll : BOOLEAN,
                   lossy : BOOLEAN, pool : BOOLEAN, halfOpen : BOOLEAN]
  /\ answers = Answers

AssessmentNext == Next /\ settings' = settings /\ answers' = Answers'

\* The slaves are alike until something happens to one of them.
AlikeSlaves == Permutations((Broker \ Learners) \ {FirstMaster})

AssessmentSpec == AssessmentInit /\ [][AssessmentNext]_assessed

=============================================================================
