------------------------ MODULE ControllerRaftChanges ------------------------
(***************************************************************************)
(* What a step of ControllerRaft may change, said a second time and from   *)
(* outside: by what is different afterwards. Together the controllers are  *)
(* one (RefinesAtomicController); this says it of each.                    *)
(***************************************************************************)
EXTENDS ControllerRaft

Majority(S)   == 2 * Cardinality(S) > Cardinality(Server)
SameUpTo(a, b, n) == n <= Len(a) /\ n <= Len(b) /\ SubSeq(a, 1, n) = SubSeq(b, 1, n)

\* A controller leads without the votes of a majority or with an older log than theirs, goes on leading in a term that is over, or serves before it has caught up.
RaftRolesChange ==
  [][LET voters == { c \in Server : term'[c] # term[c] }
         latest == CHOOSE t \in { term[c] : c \in voters } : \A c \in voters : term[c] <= t
         last(q) == log[q][Len(log[q])].term
     IN \A q \in Server :
          /\ leads'[q] /\ (~leads[q] \/ term'[q] # term[q]) =>
               /\ q \in voters /\ Majority(voters) /\ UNCHANGED <<serves, log, applied, waits, answered, used>>
               /\ leads[q] => term[q] < latest
               /\ \A c \in voters : /\ term'[c] = latest + 1 /\ (leads'[c] => c = q)
                                    /\ last(q) > last(c) \/ (last(q) = last(c) /\ Len(log[q]) >= Len(log[c]))
          /\ q \in voters => term'[q] > term[q] /\ \E l \in Server : leads'[l] /\ term'[l] = term'[q]
          /\ leads[q] /\ ~leads'[q] => q \in voters
          /\ serves'[q] # serves[q] => IF serves[q] THEN ~leads[q] /\ waits'[q] = Nothing
                                       ELSE leads[q] /\ \E i \in DOMAIN applied[q] : applied[q][i].term = term[q]]_vars

\* A log takes what its leader does not have, or more than one entry; what is applied was not committed; a decision is tried, waited for or answered otherwise than by what became of its entry.
RaftLogsChange ==
  [][LET decided == used'.decisions # used.decisions
     IN /\ decided => used'.decisions = used.decisions + 1 /\ used'.decisions <= MaxDecisions /\ log' # log
        /\ \A q \in Server : log'[q] # log[q] =>
             LET n   == Len(log'[q])
                 new == log'[q][n]
             IN \/ /\ leads[q] /\ log'[q] = Append(log[q], new) /\ new.term = term[q] /\ UNCHANGED <<term, leads>>
                   /\ IF decided
                      THEN /\ serves[q] /\ waits[q] = Nothing /\ waits'[q] = [at |-> n, entry |-> new]
                           /\ Len(applied[q]) = n - 1 /\ \E i \in DOMAIN applied[q] : applied[q][i].term = term[q]
                           /\ new.master \in Broker
                           /\ new.epoch = 1 + Cardinality({ i \in DOMAIN applied[q] : applied[q][i].epoch > 0 })
                      ELSE new = Empty(term[q]) /\ \A i \in DOMAIN log[q] : log[q][i].term # term[q]
                \/ \E l \in Server \ {q} : /\ leads[l] /\ term[l] >= term[q] /\ term'[q] = term[l] /\ ~leads'[q]
                                           /\ SameUpTo(log'[q], log[l], n) /\ SameUpTo(log[q], log[l], n - 1)
                                           /\ ~SameUpTo(log[q], log[l], n)
        /\ \A q \in Server : applied'[q] # applied[q] =>
             LET n == Len(applied[q]) + 1
             IN /\ applied'[q] = Append(applied[q], log[q][n])
                /\ IF leads[q]
                   THEN \E i \in n..Len(log[q]) :
                          /\ log[q][i].term = term[q]
                          /\ Majority({ c \in Server : term[c] = term[q] /\ SameUpTo(log[c], log[q], i) })
                   ELSE \E l \in Server : /\ leads[l] /\ term[l] = term[q] /\ n <= Len(applied[l])
                                          /\ SameUpTo(log[q], log[l], n)
        /\ \A q \in Server : waits'[q] # waits[q] => (waits'[q] = Nothing /\ UNCHANGED log) \/ decided
        /\ answered \subseteq answered'
        /\ \A d \in answered' \ answered :
             \E q \in Server : /\ waits[q] # Nothing /\ waits'[q] = Nothing /\ Decision(waits[q].entry) = d
                               /\ waits[q].at <= Len(applied[q]) /\ applied[q][waits[q].at] = waits[q].entry
        /\ \A q \in Server :
             waits[q] # Nothing /\ waits'[q] = Nothing /\ serves'[q] = serves[q]
             /\ waits[q].at <= Len(applied[q]) /\ applied[q][waits[q].at] = waits[q].entry
               => Decision(waits[q].entry) \in answered']_vars
==============================================================================
