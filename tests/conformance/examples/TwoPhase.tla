------------------------------ MODULE TwoPhase ------------------------------
(***************************************************************************)
(* Two-phase commit: participants vote, a coordinator that has every vote  *)
(* decides, and tells each participant. The network loses and repeats.     *)
(***************************************************************************)
CONSTANT Participant

VARIABLES
  coordinator,   \* what it has heard, and what it decided
  state,         \* of each participant
  messages       \* that may still arrive, any number of times

vars == <<coordinator, state, messages>>

Vote(p)     == [type |-> "vote", from |-> p]
Decision(d) == [type |-> "decision", value |-> d]

Init ==
  /\ coordinator = [decision |-> "none", votes |-> {}]
  /\ state = [p \in Participant |-> "working"]
  /\ messages = {}

(* A participant promises to commit if it is told to. *)
Prepare(p) ==
  /\ state[p] = "working"
  /\ state' = [state EXCEPT ![p] = "prepared"]
  /\ messages' = messages \cup {Vote(p)}
  /\ UNCHANGED coordinator

(* As long as it has promised nothing it may give up. *)
GiveUp(p) ==
  /\ state[p] = "working"
  /\ state' = [state EXCEPT ![p] = "aborted"]
  /\ UNCHANGED <<coordinator, messages>>

VoteArrives(m) ==
  /\ m.type = "vote"
  /\ coordinator.decision = "none"
  /\ m.from \notin coordinator.votes
  /\ coordinator' = [coordinator EXCEPT !.votes = @ \cup {m.from}]
  /\ UNCHANGED <<state, messages>>

Decide(d) ==
  /\ coordinator.decision = "none"
  /\ d = "commit" => coordinator.votes = Participant
  /\ coordinator' = [coordinator EXCEPT !.decision = d]
  /\ messages' = messages \cup {Decision(d)}
  /\ UNCHANGED state

DecisionArrives(p, m) ==
  /\ m.type = "decision"
  /\ state[p] \in {"working", "prepared"}
  /\ m.value = "commit" => state[p] = "prepared"
  /\ state' = [state EXCEPT ![p] = IF m.value = "commit" THEN "committed" ELSE "aborted"]
  /\ UNCHANGED <<coordinator, messages>>

Next ==
  \/ \E p \in Participant : Prepare(p) \/ GiveUp(p)
  \/ \E m \in messages : VoteArrives(m)
  \/ \E d \in {"commit", "abort"} : Decide(d)
  \/ \E p \in Participant, m \in messages : DecisionArrives(p, m)

Spec == Init /\ [][Next]_vars

Agreement == ~ \E p, q \in Participant : state[p] = "committed" /\ state[q] = "aborted"
=============================================================================
