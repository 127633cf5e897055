---------------------------- MODULE ControllerRaft ----------------------------
(***************************************************************************)
(* The controllers' own replication (DLedgerController on DLedger): terms, *)
(* a log that a leader pushes to the others, entries that a majority has,  *)
(* and in the middle of a decision a change of the leader. Together they   *)
(* refine AtomicController, the one controller of all other modules.       *)
(*                                                                         *)
(* A leader first appends an empty entry (DLedgerController.               *)
(* RoleChangeHandler.handle). Once that is applied it has the state of all *)
(* earlier terms, and serves: it decides on what it has applied, appends   *)
(* the event and waits (ControllerEventHandler.run). DLedger's role and    *)
(* the controller's (currentRole) are two: the second one follows in a     *)
(* thread of its own. JRaftController makes the request itself the entry   *)
(* and decides when that is applied: one step here.                        *)
(*                                                                         *)
(* Left out: crashes (no log is lost), snapshots, changes of the group.    *)
(* A vote is one step of its quorum. A leader knows what is in the logs of *)
(* those that are in its term (inferred: no answer is lost for ever).      *)
(*                                                                         *)
(* Learned: who waits for an entry has to look at what became of it: the   *)
(* end of a wait is no success (bugs/AnsweredUncommitted). A controller    *)
(* that answers from memory answers with what was (bugs/DeposedReads).     *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  \* @type: Set(CONTROLLER);
  Server,
  \* @type: CONTROLLER;
  FirstLeader,
  \* @type: Set(BROKER);
  Broker,
  \* @type: BROKER;
  NoBroker,
  \* @type: Int;
  MaxTerm,
  \* The last epoch that an election gives.
  \* @type: Int;
  MaxEpoch,
  \* Decisions that are tried, those that come to nothing among them.
  \* @type: Int;
  MaxDecisions

VARIABLES
  \* @type: CONTROLLER -> Int;
  term,
  \* DLedger's role (MemberState): does it lead in its term?
  \* @type: CONTROLLER -> Bool;
  leads,
  \* The controller's role (RoleChangeHandler.currentRole): does it answer requests?
  \* @type: CONTROLLER -> Bool;
  serves,
  \* An empty entry has epoch 0.
  \* @type: CONTROLLER -> Seq({ term: Int, epoch: Int, master: BROKER });
  log,
  \* What the state machine was given. It is not taken back, whatever happens to the log.
  \* @type: CONTROLLER -> Seq({ term: Int, epoch: Int, master: BROKER });
  applied,
  \* The entry that the scheduler's thread waits for, and its position; 0: none.
  \* @type: CONTROLLER -> { at: Int, entry: { term: Int, epoch: Int, master: BROKER } };
  waits,
  \* Decisions whose success was told.
  \* @type: Set({ epoch: Int, master: BROKER });
  answered,
  \* @type: { decisions: Int };
  used

vars == <<term, leads, serves, log, applied, waits, answered, used>>

Entry == [term : 1..MaxTerm, epoch : 0..MaxEpoch, master : Broker \cup {NoBroker}]
Event == [epoch : 1..MaxEpoch, master : Broker]

\* @type: (Int) => { term: Int, epoch: Int, master: BROKER };
Empty(t) == [term |-> t, epoch |-> 0, master |-> NoBroker]
Nothing == [at |-> 0, entry |-> Empty(1)]

TypeOK ==
  /\ term \in [Server -> 1..MaxTerm]
  /\ leads \in [Server -> BOOLEAN] /\ serves \in [Server -> BOOLEAN]
  /\ \A q \in Server : \A i \in DOMAIN log[q] : log[q][i] \in Entry
  /\ \A q \in Server : \A i \in DOMAIN applied[q] : applied[q][i] \in Entry
  /\ \A q \in Server : waits[q] = Nothing \/ (waits[q].at > 0 /\ waits[q].entry \in Entry)
  /\ answered \subseteq Event
  /\ used.decisions \in 0..MaxDecisions

Quorum == { Q \in SUBSET Server : 2 * Cardinality(Q) > Cardinality(Server) }
(* Enough for a vote; a larger quorum is this one, and those who hear of it. *)
Voters == { Q \in SUBSET Server : Cardinality(Q) = Cardinality(Server) \div 2 + 1 }
Smaller(a, b) == IF a < b THEN a ELSE b

\* @type: (Seq({ term: Int, epoch: Int, master: BROKER }), Int) => Seq({ term: Int, epoch: Int, master: BROKER });
Prefix(s, n) == SubSeq(s, 1, n)

(* A candidate's log is at least as new as mine. No log is ever empty. *)
AsNew(s, mine) ==
  \/ s[Len(s)].term > mine[Len(mine)].term
  \/ s[Len(s)].term = mine[Len(mine)].term /\ Len(s) >= Len(mine)

(* The last position at which two logs have the same entry. *)
Common(a, b) ==
  LET same == { n \in 0..Smaller(Len(a), Len(b)) : Prefix(a, n) = Prefix(b, n) }
  IN CHOOSE n \in same : \A m \in same : m <= n

IsEvent(e) == e.epoch > 0
Decision(e) == [epoch |-> e.epoch, master |-> e.master]
EventsIn(s) == { Decision(s[i]) : i \in { j \in DOMAIN s : IsEvent(s[j]) } }

(* It has applied an entry of its own term, so it has the state of all earlier ones. *)
CaughtUp(q) == \E i \in DOMAIN applied[q] : applied[q][i].term = term[q]

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Is an entry of an earlier term committed by a majority that has it? Raft (5.4.2) and DLedger 0.4.0: only with an entry
   of the leader's own term on top of it. *)
CommitNeedsOwnTerm == TRUE

(* Does the thread that waited look at what came of its entry? *)
OutcomeIsLookedAt == TRUE

(* Who answers a read from what it has applied? One that a majority follows, and that has caught up: an empty entry is
   committed before the state is read, as JRaftController does with each request. *)
MayRead(q) ==
  /\ serves[q] /\ leads[q] /\ CaughtUp(q)
  /\ { c \in Server : term[c] = term[q] } \in Quorum

(* On what is decided? On the state after all entries of the log: nothing is under way, also nothing of an earlier term
   that led in between. *)
MayDecide(q) == Len(applied[q]) = Len(log[q]) /\ CaughtUp(q)

-----------------------------------------------------------------------------
(* The first leader has just begun to serve. *)
Init ==
  /\ term = [q \in Server |-> 1]
  /\ leads = [q \in Server |-> q = FirstLeader]
  /\ serves = [q \in Server |-> q = FirstLeader]
  /\ log = [q \in Server |-> <<Empty(1)>>]
  /\ applied = [q \in Server |-> <<Empty(1)>>]
  /\ waits = [q \in Server |-> Nothing]
  /\ answered = {}
  /\ used = [decisions |-> 0]

(* DLedgerLeaderElector: a vote for a term that is new to a whole quorum. One that has led hears then that it does no more;
   its scheduler may not notice that it did not lead in between. *)
LeaderIsElected(q, Q) ==
  LET new == 1 + (CHOOSE t \in { term[c] : c \in Q } : \A c \in Q : term[c] <= t)
  IN
  /\ q \in Q
  /\ leads[q] => \E c \in Q : term[c] > term[q]
  /\ new <= MaxTerm
  /\ \A c \in Q : AsNew(log[q], log[c])
  /\ term' = [c \in Server |-> IF c \in Q THEN new ELSE term[c]]
  /\ leads' = [c \in Server |-> IF c \in Q THEN c = q ELSE leads[c]]
  /\ UNCHANGED <<serves, log, applied, waits, answered, used>>

(* RoleChangeHandler.handle, LEADER: the empty entry. *)
LeaderAppendsEmptyEntry(q) ==
  /\ leads[q]
  /\ \A i \in DOMAIN log[q] : log[q][i].term # term[q]
  /\ log' = [log EXCEPT ![q] = Append(@, Empty(term[q]))]
  /\ UNCHANGED <<term, leads, serves, applied, waits, answered, used>>

(* The same, once that entry is applied: startScheduling. *)
LeaderStartsServing(q) ==
  /\ leads[q] /\ ~serves[q]
  /\ CaughtUp(q)
  /\ serves' = [serves EXCEPT ![q] = TRUE]
  /\ UNCHANGED <<term, leads, log, applied, waits, answered, used>>

(* The same, FOLLOWER or CANDIDATE: stopScheduling, which interrupts who waits. The thread may be late. *)
RoleChangeIsHandled(q) ==
  /\ serves[q] /\ ~leads[q]
  /\ serves' = [serves EXCEPT ![q] = FALSE]
  /\ waits' = [waits EXCEPT ![q] = Nothing]
  /\ UNCHANGED <<term, leads, log, applied, answered, used>>

(* ControllerEventHandler.run: the supplier looks at what is applied, the event is appended. One at a time. *)
Decide(q, b) ==
  LET epoch == Cardinality(EventsIn(applied[q])) + 1
      entry == [term |-> term[q], epoch |-> epoch, master |-> b]
  IN
  /\ used.decisions < MaxDecisions
  /\ serves[q] /\ leads[q]
  /\ waits[q] = Nothing
  /\ MayDecide(q)
  /\ epoch <= MaxEpoch
  /\ log' = [log EXCEPT ![q] = Append(@, entry)]
  /\ waits' = [waits EXCEPT ![q] = [at |-> Len(log[q]) + 1, entry |-> entry]]
  /\ used' = [used EXCEPT !.decisions = @ + 1]
  /\ UNCHANGED <<term, leads, serves, applied, answered>>

(* DLedgerEntryPusher: COMPARE, TRUNCATE, and APPEND of one entry. *)
Push(l, f) ==
  LET common == Common(log[l], log[f])
      copied == IF common < Len(log[l]) THEN Append(Prefix(log[f], common), log[l][common + 1]) ELSE log[f]
  IN
  /\ leads[l] /\ f # l
  /\ term[f] <= term[l]
  /\ term[f] < term[l] \/ copied # log[f]
  /\ log' = [log EXCEPT ![f] = copied]
  /\ term' = [term EXCEPT ![f] = term[l]]
  /\ leads' = [leads EXCEPT ![f] = FALSE]
  /\ UNCHANGED <<serves, applied, waits, answered, used>>

(* DLedgerEntryPusher.QuorumAckChecker: a majority of the leader's term has the entry; StateMachineCaller applies it. *)
LeaderApplies(l) ==
  LET next == Len(applied[l]) + 1
      has(n) == { c \in Server : term[c] = term[l] /\ Common(log[l], log[c]) >= n }
  IN
  /\ leads[l]
  /\ next <= Len(log[l])
  /\ \E n \in next..Len(log[l]) : has(n) \in Quorum /\ (CommitNeedsOwnTerm => log[l][n].term = term[l])
  /\ applied' = [applied EXCEPT ![l] = Append(@, log[l][next])]
  /\ UNCHANGED <<term, leads, serves, log, waits, answered, used>>

(* The leader has told what is committed; DLedgerControllerStateMachine.onApply. *)
FollowerApplies(l, f) ==
  LET next == Len(applied[f]) + 1
  IN
  /\ leads[l] /\ f # l /\ term[f] = term[l]
  /\ next <= Len(applied[l])
  /\ next <= Common(log[l], log[f])
  /\ applied' = [applied EXCEPT ![f] = Append(@, log[f][next])]
  /\ UNCHANGED <<term, leads, serves, log, waits, answered, used>>

(* appendToDLedgerAndWait: the future is completed when the entry is applied, or with a code that says that it is not
   (TERM_CHANGED, WAIT_QUORUM_ACK_TIMEOUT), or five seconds are over. *)
WaitEnds(q) ==
  LET at == waits[q].at
      succeeds == Len(applied[q]) >= at /\ applied[q][at] = waits[q].entry
  IN
  /\ waits[q] # Nothing
  /\ waits' = [waits EXCEPT ![q] = Nothing]
  /\ answered' = IF succeeds \/ ~OutcomeIsLookedAt THEN answered \cup {Decision(waits[q].entry)} ELSE answered
  /\ UNCHANGED <<term, leads, serves, log, applied, used>>

Next ==
  \/ \E q \in Server, Q \in Voters : LeaderIsElected(q, Q)
  \/ \E q \in Server : LeaderAppendsEmptyEntry(q)
  \/ \E q \in Server : LeaderStartsServing(q)
  \/ \E q \in Server : RoleChangeIsHandled(q)
  \/ \E q \in Server, b \in Broker : Decide(q, b)
  \/ \E l, f \in Server : Push(l, f)
  \/ \E l \in Server : LeaderApplies(l)
  \/ \E l, f \in Server : FollowerApplies(l, f)
  \/ \E q \in Server : WaitEnds(q)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* Two controllers have applied different decisions, so whoever leads next goes on from another broker set than was promised.
ControllersAgree == \A p, q \in Server : Common(applied[p], applied[q]) = Smaller(Len(applied[p]), Len(applied[q]))

\* One epoch was given to two brokers, so both are its master and one offset names two messages.
OneElectionPerEpoch == \A d, e \in answered : d.epoch = e.epoch => d.master = e.master

\* A decision was answered with success and the controllers do not know it, so a broker acts on what never was.
AnswersAreKept == \A d \in answered : \E q \in Server : d \in EventsIn(applied[q])

\* A controller answers a read with what was before a decision, so a broker follows a master that is none any more.
ReadsAreCurrent == \A q \in Server : MayRead(q) => answered \subseteq EventsIn(applied[q])

-----------------------------------------------------------------------------
(* The refinement: decided is what the one that has applied most has applied. *)
Longest == applied[CHOOSE q \in Server : \A p \in Server : Len(applied[p]) <= Len(applied[q])]
EventsOf(s) == LET events == SelectSeq(s, IsEvent) IN [i \in DOMAIN events |-> Decision(events[i])]

Atomic == INSTANCE AtomicController WITH decided <- EventsOf(Longest)
\* The controllers together are not one: a decision was taken back, or taken twice, or answered before it was taken.
RefinesAtomicController == Atomic!Spec
==============================================================================
