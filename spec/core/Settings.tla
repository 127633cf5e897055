------------------------------ MODULE Settings ------------------------------
(***************************************************************************)
(* What a model may set, and what it is otherwise. A .cfg names only what  *)
(* is special about it, as it would a constant: MaxCrashes = 1.            *)
(*                                                                         *)
(* These are definitions since TLA+ has no constants with a default; TLC   *)
(* and rmqproof take the value that a .cfg gives to a definition.          *)
(***************************************************************************)

-----------------------------------------------------------------------------
(* Settings of brokers and of the controller *)

\* Replicas with asyncLearner=true: they copy, but must not join the SyncStateSet nor lead.
\* @type: Set(BROKER);
Learners == {}

\* allAckInSyncStateSet
\* @type: Bool;
AllAck == TRUE

\* inSyncReplicas
\* @type: Int;
InSyncReplicas == 1

\* minInSyncReplicas
\* @type: Int;
MinInSyncReplicas == 1

\* enableElectUncleanMaster
\* @type: Bool;
UncleanElection == FALSE

\* Messages in one transfer batch, at most.
\* @type: Int;
BatchSize == 1

-----------------------------------------------------------------------------
(* How finely the protocol is looked at *)

\* TRUE: changeToMaster is taken in its real steps, FALSE: in one step.
\* @type: Bool;
FineSteps == FALSE

\* TRUE: a master may not notice for a while that a connection is gone.
\* @type: Bool;
HalfOpen == FALSE

\* TRUE: role notifications are kept and may arrive late; FALSE: brokers learn by polling only.
\* @type: Bool;
LateNotices == FALSE

\* TRUE: a rejected AlterSyncStateSet is a step of its own; FALSE: it is like a lost request.
\* @type: Bool;
ShowRejections == FALSE

\* TRUE: slaves keep the confirmOffset that the master announces; FALSE: it stays 0 on slaves.
\* @type: Bool;
TrackConfirm == FALSE

-----------------------------------------------------------------------------
(* Budgets *)

\* Messages offered by producers.
\* @type: Int;
MaxPuts == 1

\* Epochs, the first one included.
\* @type: Int;
MaxEpoch == 2

\* AlterSyncStateSet requests.
\* @type: Int;
MaxAlters == 0

\* Crashes of a process.
\* @type: Int;
MaxCrashes == 0

\* Crashes of a machine, which lose an unflushed tail.
\* @type: Int;
MaxLosses == 0

\* Lost disks.
\* @type: Int;
MaxLostDisks == 0

\* Heartbeats lost though the broker runs.
\* @type: Int;
MaxExpiries == 0

\* Connections broken though both ends run.
\* @type: Int;
MaxBreaks == 0

\* Elections ordered by an administrator.
\* @type: Int;
MaxDesignations == 0

\* Fail-overs of the controller.
\* @type: Int;
MaxFailOvers == 0

\* Cleanings of the metadata.
\* @type: Int;
MaxCleans == 0

\* Reads by consumers.
\* @type: Int;
MaxReads == 0

=============================================================================
