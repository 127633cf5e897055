------------------------ MODULE RegistrationProgress ------------------------
(***************************************************************************)
(* Does every broker process that keeps running get registered? In         *)
(* Registration each attempt costs one of a budget. Here a refused attempt *)
(* costs nothing, since its check code is in no table and may be used      *)
(* again, so a broker that is refused for ever tries for ever. A lost      *)
(* answer costs one, and so does a new identity after the metadata were    *)
(* cleaned; answers are lost as long as that leaves an attempt now and one *)
(* for each cleaning to come.                                              *)
(*                                                                         *)
(* Nothing is excused: the invariants AttemptsSuffice and IdsSuffice say   *)
(* that no broker comes to the bound of its attempts with nothing in hand, *)
(* and that no behaviour uses up the ids.                                  *)
(***************************************************************************)
EXTENDS Registration

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Does a registered broker whose id the controller does not know any more start again? *)
UnknownBrokerStartsAgain == TRUE

(* Does a broker go on after its first attempt to reach the controller failed? *)
TriesAgain(r) == TRUE

-----------------------------------------------------------------------------
Known(r) == table.known /\ table.codes[identity[r].id] = CodeOf(r)

AttemptIsMade(r) == GetNextBrokerId(r) /\ TriesAgain(r)

(* ApplyBrokerId is refused: the temporary file is deleted. *)
ApplyBrokerIdIsRefused(r) ==
  /\ process[r] = "Starting"
  /\ identity[r].file = "Temporary"
  /\ ApplyCode(r) # "SUCCESS"
  /\ identity' = [identity EXCEPT ![r] = [file |-> "None", id |-> 0, attempt |-> @.attempt - 1]]
  /\ UNCHANGED <<table, process, used>>

(* The request or its answer is lost. *)
ApplyBrokerIdIsLost(r, applied) ==
  /\ identity[r].file = "Temporary"
  /\ MaxAttempts - identity[r].attempt > MaxCleans - used.cleans
  /\ ApplyCode(r) = "SUCCESS"
  /\ ApplyBrokerIdFails(r, applied)

(* RegisterBroker or a poll is answered BROKER_NEED_TO_BE_REGISTERED or BROKER_METADATA_NOT_EXIST: the broker gives its
   identity up and gets another one. Its data stay; under a new id it is in no SyncStateSet. *)
UnknownBrokerTakesNewIdentity(r) ==
  /\ UnknownBrokerStartsAgain
  /\ process[r] # "Down"
  /\ identity[r].file = "Identity"
  /\ ~Known(r)
  /\ process' = [process EXCEPT ![r] = "Starting"]
  /\ identity' = [identity EXCEPT ![r] = [file |-> "None", id |-> 0, attempt |-> @.attempt]]
  /\ UNCHANGED <<table, used>>

NextOfAttempts ==
  \/ \E r \in Replica : AttemptIsMade(r)
  \/ \E r \in Replica : ApplyBrokerId(r)
  \/ \E r \in Replica : ApplyBrokerIdIsRefused(r)
  \/ \E r \in Replica, applied \in BOOLEAN : ApplyBrokerIdIsLost(r, applied)
  \/ \E r \in Replica : RegisterBroker(r)
  \/ \E r \in Replica : UnknownBrokerTakesNewIdentity(r)
  \/ \E r \in Replica, applied \in BOOLEAN : ProcessCrashes(r, applied)
  \/ \E r \in Replica : ProcessRestarts(r)
  \/ MetadataIsCleaned

(* A broker tries again and again; its requests are not lost every time. *)
AttemptsAreFair ==
  \A r \in Replica :
    /\ WF_vars(AttemptIsMade(r))
    /\ SF_vars(ApplyBrokerId(r))
    /\ WF_vars(ApplyBrokerIdIsRefused(r))
    /\ WF_vars(RegisterBroker(r))
    /\ WF_vars(UnknownBrokerTakesNewIdentity(r))

FairSpec == Init /\ [][NextOfAttempts]_vars /\ AttemptsAreFair

-----------------------------------------------------------------------------
AttemptsSuffice == \A r \in Replica : identity[r].attempt < MaxAttempts \/ identity[r].file # "None"

IdsSuffice == table.nextId <= MaxId

\* A broker keeps running and never gets registered, so its broker set has a replica less until somebody intervenes.
EventuallyRegistered ==
  \A r \in Replica : <>[](process[r] # "Down") => <>[](process[r] = "Registered" /\ Known(r))

\* A replica gives up an identity that the controller knows, takes an id that it has not read or that is not its, or a try costs another attempt than it should.
AttemptsChange ==
  [][\A r \in Replica : identity'[r] # identity[r] =>
       LET old      == identity[r]
           new      == identity'[r]
           holder   == IF table.known THEN table.codes[old.id] ELSE NoCode
           accepted == IF holder = NoCode THEN old.id = table.nextId ELSE holder = CodeOf(r)
       IN CASE new.file = "Temporary" -> /\ old.file = "None" /\ process[r] = "Starting"
                                         /\ new.id = table.nextId /\ new.attempt = old.attempt + 1
            [] new.file = "Identity"  -> /\ old.file = "Temporary" /\ accepted /\ process[r] = "Starting"
                                         /\ new = [old EXCEPT !.file = "Identity"] /\ table'.codes[old.id] = CodeOf(r)
            [] old.file = "Identity"  -> /\ holder # CodeOf(r) /\ process[r] # "Down" /\ process'[r] = "Starting"
                                         /\ new = [file |-> "None", id |-> 0, attempt |-> old.attempt]
            [] OTHER                  -> /\ process[r] = "Starting"
                                         /\ new = [file |-> "None", id |-> 0,
                                                   attempt |-> IF accepted THEN old.attempt ELSE old.attempt - 1]
                                         /\ accepted => MaxAttempts - old.attempt > MaxCleans - used.cleans
                                         /\ accepted \/ UNCHANGED table]_vars
=============================================================================
