---------------------------- MODULE Registration ----------------------------
(***************************************************************************)
(* How a broker process gets its brokerId: GetNextBrokerId, a temporary    *)
(* file, ApplyBrokerId with a check code, the identity file,               *)
(* RegisterBroker. It commutes with everything in ControllerMode, which    *)
(* begins with registered brokers, so it is a specification of its own.    *)
(*                                                                         *)
(* Learned: the id is read before it is claimed, so several replicas ask   *)
(* for the same one, and the check code decides. A lost answer burns an    *)
(* id, since the temporary file is deleted; a crash does not, since it is  *)
(* kept. Ids stay unique only if cleaning keeps the counter (F-1, F-2) and *)
(* if only the id at the counter is accepted: a replica that read an id    *)
(* before the cleaning may apply for it afterwards.                        *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  \* Broker processes with their disks.
  \* @type: Set(REPLICA);
  Replica,
  \* Stands for "nobody".
  \* @type: REPLICA;
  NoReplica,
  \* Ids are 1..MaxId, attempts to register 1..MaxAttempts per replica.
  \* @type: Int;
  MaxId,
  \* @type: Int;
  MaxAttempts,
  \* Budgets: process crashes and cleanings of the whole broker set.
  \* @type: Int;
  MaxCrashes,
  \* @type: Int;
  MaxCleans

VARIABLES
  \* The controller's table: does it know the broker set, the next id it will propose, and for each id the check code
  \* under which it was applied for. A check code is the replica and its attempt (in the Java: address and time).
  \* Left out: addresses, which may change and identify nobody.
  \* @type: { known: Bool, nextId: Int, codes: Int -> { replica: REPLICA, attempt: Int } };
  table,
  \* What lies on a replica's disk: no file, the temporary file, or the identity file; the id in it; the attempt.
  \* @type: REPLICA -> { file: Str, id: Int, attempt: Int };
  identity,
  \* What the running process has achieved: Down, Starting, Registered.
  \* @type: REPLICA -> Str;
  process,
  \* Budgets used.
  \* @type: { crashes: Int, cleans: Int };
  used

vars == <<table, identity, process, used>>

Id     == 1..MaxId
NoCode == [replica |-> NoReplica, attempt |-> 0]
CodeOf(r) == [replica |-> r, attempt |-> identity[r].attempt]

TypeOK ==
  /\ table \in [known : BOOLEAN, nextId : 1..(MaxId + 1),
                codes : [Id -> [replica : Replica \cup {NoReplica}, attempt : 0..MaxAttempts]]]
  /\ identity \in [Replica -> [file : {"None", "Temporary", "Identity"}, id : 0..MaxId, attempt : 0..MaxAttempts]]
  /\ process \in [Replica -> {"Down", "Starting", "Registered"}]
  /\ used \in [crashes : 0..MaxCrashes, cleans : 0..MaxCleans]

Init ==
  /\ table = [known |-> FALSE, nextId |-> 1, codes |-> [i \in Id |-> NoCode]]
  /\ identity = [r \in Replica |-> [file |-> "None", id |-> 0, attempt |-> 0]]
  /\ process = [r \in Replica |-> "Starting"]
  /\ used = [crashes |-> 0, cleans |-> 0]

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* What cleaning leaves of the counter. Repaired: all of it. *)
NextIdAfterClean == table.nextId

(* May an id be applied for while the broker set is not known? As shipped only 1; repaired: also what the counter
   that outlived a cleaning says. *)
FirstIdAccepted(id) == id = table.nextId

(* May an id be applied for that nobody holds? As shipped any; repaired: only the next one. *)
UnassignedIdAccepted(id) == id = table.nextId

(* ApplyBrokerId *)
ApplyCode(r) ==
  LET id == identity[r].id
  IN CASE ~table.known /\ FirstIdAccepted(id)  -> "SUCCESS"
       [] ~table.known                         -> "BROKER_ID_INVALID"
       [] table.codes[id] = NoCode /\ UnassignedIdAccepted(id) -> "SUCCESS"
       [] table.codes[id] = NoCode             -> "BROKER_ID_INVALID"
       [] table.codes[id] = CodeOf(r)          -> "SUCCESS"
       [] OTHER                                -> "BROKER_ID_INVALID"

(* RegisterBroker *)
RegisterCode(r) ==
  CASE ~table.known                            -> "BROKER_NEED_TO_BE_REGISTERED"
    [] table.codes[identity[r].id] = NoCode    -> "BROKER_NEED_TO_BE_REGISTERED"
    [] OTHER                                   -> "SUCCESS"

-----------------------------------------------------------------------------
GetNextBrokerId(r) ==
  /\ process[r] = "Starting"
  /\ identity[r].file = "None"
  /\ identity[r].attempt < MaxAttempts
  /\ table.nextId \in Id
  /\ identity' = [identity EXCEPT ![r] = [file |-> "Temporary", id |-> table.nextId, attempt |-> @.attempt + 1]]
  /\ UNCHANGED <<table, process, used>>

(* The controller's part of ApplyBrokerId; an id that is applied for again under the same code stays as it is. *)
TableWith(r) ==
  IF table.known /\ table.codes[identity[r].id] # NoCode THEN table
  ELSE [known |-> TRUE, nextId |-> IF table.nextId <= MaxId THEN table.nextId + 1 ELSE table.nextId,
        codes |-> [table.codes EXCEPT ![identity[r].id] = CodeOf(r)]]

ApplyBrokerId(r) ==
  /\ process[r] = "Starting"
  /\ identity[r].file = "Temporary"
  /\ ApplyCode(r) = "SUCCESS"
  /\ table' = TableWith(r)
  /\ identity' = [identity EXCEPT ![r].file = "Identity"]
  /\ UNCHANGED <<process, used>>

(* The answer is lost or refuses: the temporary file is deleted, the next attempt takes another id. *)
ApplyBrokerIdFails(r, applied) ==
  /\ process[r] = "Starting"
  /\ identity[r].file = "Temporary"
  /\ table' = IF applied /\ ApplyCode(r) = "SUCCESS" THEN TableWith(r) ELSE table
  /\ identity' = [identity EXCEPT ![r] = [file |-> "None", id |-> 0, attempt |-> @.attempt]]
  /\ UNCHANGED <<process, used>>

RegisterBroker(r) ==
  /\ process[r] = "Starting"
  /\ identity[r].file = "Identity"
  /\ RegisterCode(r) = "SUCCESS"
  /\ process' = [process EXCEPT ![r] = "Registered"]
  /\ UNCHANGED <<table, identity, used>>

(* The process ends; the controller may have applied the request whose answer it waited for. *)
ProcessCrashes(r, applied) ==
  /\ used.crashes < MaxCrashes
  /\ process[r] # "Down"
  /\ process' = [process EXCEPT ![r] = "Down"]
  /\ table' = IF applied /\ identity[r].file = "Temporary" /\ ApplyCode(r) = "SUCCESS" THEN TableWith(r) ELSE table
  /\ used' = [used EXCEPT !.crashes = @ + 1]
  /\ UNCHANGED identity

ProcessRestarts(r) ==
  /\ process[r] = "Down"
  /\ process' = [process EXCEPT ![r] = "Starting"]
  /\ UNCHANGED <<table, identity, used>>

MetadataIsCleaned ==
  /\ used.cleans < MaxCleans
  /\ table.known
  /\ table' = [known |-> FALSE, nextId |-> NextIdAfterClean, codes |-> [i \in Id |-> NoCode]]
  /\ used' = [used EXCEPT !.cleans = @ + 1]
  /\ UNCHANGED <<identity, process>>

Next ==
  \/ \E r \in Replica : GetNextBrokerId(r)
  \/ \E r \in Replica : ApplyBrokerId(r)
  \/ \E r \in Replica, applied \in BOOLEAN : ApplyBrokerIdFails(r, applied)
  \/ \E r \in Replica : RegisterBroker(r)
  \/ \E r \in Replica, applied \in BOOLEAN : ProcessCrashes(r, applied)
  \/ \E r \in Replica : ProcessRestarts(r)
  \/ MetadataIsCleaned

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* Two brokers hold the same brokerId, so each acknowledges for the other and the SyncStateSet counts one copy as two.
IdUnique ==
  \A r, s \in Replica :
    identity[r].file = "Identity" /\ identity[s].file = "Identity" /\ identity[r].id = identity[s].id => r = s

\* A registered broker is not in the controller's table under its own check code, so another broker can take its id.
RegisteredIsKnown ==
  \A r \in Replica :
    identity[r].file = "Identity" /\ table.known /\ table.codes[identity[r].id] # NoCode
      => table.codes[identity[r].id] = CodeOf(r)

\* A replica's file, its process or the controller's table changes otherwise than by a step of the registration: an id is taken that was not read, granted to two, or forgotten.
RegistrationChanges ==
  [][/\ \A r \in Replica : identity'[r] # identity[r] =>
          LET old == identity[r]
              new == identity'[r]
          IN /\ process[r] = "Starting" /\ UNCHANGED <<process, used>>
             /\ CASE new.file = "Temporary" -> /\ old.file = "None" /\ UNCHANGED table
                                               /\ new.id = table.nextId /\ new.attempt = old.attempt + 1
                  [] new.file = "Identity"  -> /\ new = [old EXCEPT !.file = "Identity"] /\ old.file = "Temporary"
                                               /\ table'.known /\ table'.codes[old.id] = CodeOf(r)
                  [] OTHER                  -> old.file = "Temporary" /\ new = [file |-> "None", id |-> 0, attempt |-> old.attempt]
     /\ \A r \in Replica : process'[r] # process[r] =>
          CASE process'[r] = "Registered" -> /\ process[r] = "Starting" /\ identity[r].file = "Identity"
                                             /\ table.known /\ table.codes[identity[r].id] # NoCode
            [] process'[r] = "Down"       -> used'.crashes = used.crashes + 1
            [] OTHER                      -> process[r] = "Down"
     /\ table' # table =>
          IF used'.cleans # used.cleans
          THEN table.known /\ table' = [table EXCEPT !.known = FALSE, !.codes = [i \in Id |-> NoCode]]
          ELSE \E r \in Replica :
                 /\ identity[r].file = "Temporary" /\ identity[r].id = table.nextId
                 /\ table' = [known |-> TRUE, nextId |-> table.nextId + 1,
                              codes |-> [table.codes EXCEPT ![table.nextId] = CodeOf(r)]]
                 /\ identity'[r] # identity[r] \/ process'[r] # process[r]
     /\ used'.cleans # used.cleans => used'.cleans = used.cleans + 1 /\ table' # table
     /\ used'.crashes # used.crashes => used'.crashes = used.crashes + 1 /\ process' # process]_vars
=============================================================================
