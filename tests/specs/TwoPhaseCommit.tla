--------------------------- MODULE TwoPhaseCommit ---------------------------
(* Two-phase commit: resource managers prepare on their own, a transaction manager collects their votes and decides. *)
EXTENDS FiniteSets

CONSTANT Managers

VARIABLES
  vote,      \* what each resource manager is doing
  decision,  \* what the transaction manager has decided
  heard,     \* the managers whose "prepared" it has received
  sent       \* every message ever sent

vars == <<vote, decision, heard, sent>>

Message == [kind : {"prepared"}, from : Managers] \cup [kind : {"commit", "abort"}]

TypeOK ==
  /\ vote \in [Managers -> {"working", "prepared", "committed", "aborted"}]
  /\ decision \in {"open", "committed", "aborted"}
  /\ heard \subseteq Managers
  /\ sent \subseteq Message

Init ==
  /\ vote = [m \in Managers |-> "working"]
  /\ decision = "open"
  /\ heard = {}
  /\ sent = {}

ReceivePrepared(m) ==
  /\ decision = "open"
  /\ [kind |-> "prepared", from |-> m] \in sent
  /\ heard' = heard \cup {m}
  /\ UNCHANGED <<vote, decision, sent>>

DecideCommit ==
  /\ decision = "open"
  /\ heard = Managers
  /\ decision' = "committed"
  /\ sent' = sent \cup {[kind |-> "commit"]}
  /\ UNCHANGED <<vote, heard>>

DecideAbort ==
  /\ decision = "open"
  /\ decision' = "aborted"
  /\ sent' = sent \cup {[kind |-> "abort"]}
  /\ UNCHANGED <<vote, heard>>

Prepare(m) ==
  /\ vote[m] = "working"
  /\ vote' = [vote EXCEPT ![m] = "prepared"]
  /\ sent' = sent \cup {[kind |-> "prepared", from |-> m]}
  /\ UNCHANGED <<decision, heard>>

AbortAlone(m) ==
  /\ vote[m] = "working"
  /\ vote' = [vote EXCEPT ![m] = "aborted"]
  /\ UNCHANGED <<decision, heard, sent>>

LearnCommit(m) ==
  /\ [kind |-> "commit"] \in sent
  /\ vote' = [vote EXCEPT ![m] = "committed"]
  /\ UNCHANGED <<decision, heard, sent>>

LearnAbort(m) ==
  /\ [kind |-> "abort"] \in sent
  /\ vote' = [vote EXCEPT ![m] = "aborted"]
  /\ UNCHANGED <<decision, heard, sent>>

Next ==
  \/ DecideCommit
  \/ DecideAbort
  \/ \E m \in Managers :
       \/ ReceivePrepared(m)
       \/ Prepare(m)
       \/ AbortAlone(m)
       \/ LearnCommit(m)
       \/ LearnAbort(m)

Spec == Init /\ [][Next]_vars

\* One manager has committed what another has aborted.
Consistent == \A a, b \in Managers : ~(vote[a] = "committed" /\ vote[b] = "aborted")
==============================================================================
