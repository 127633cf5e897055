--------------------------- MODULE QuorumElection ---------------------------
(* Nodes vote for one another, each once; who has the votes of a quorum is leader. *)
CONSTANTS Node, Quorum

ASSUME \A q, r \in Quorum : \E n \in Node : n \in q /\ n \in r

VARIABLES
  vote,    \* who has voted for whom
  leader

vars == <<vote, leader>>

TypeOK == vote \subseteq Node \X Node /\ leader \subseteq Node

Init == vote = {} /\ leader = {}

Vote(n, m) ==
  /\ ~\E o \in Node : <<n, o>> \in vote
  /\ vote' = vote \cup {<<n, m>>}
  /\ UNCHANGED leader

Lead(m, q) ==
  /\ \A n \in Node : n \in q => <<n, m>> \in vote
  /\ leader' = leader \cup {m}
  /\ UNCHANGED vote

Next == (\E n, m \in Node : Vote(n, m)) \/ (\E m \in Node, q \in Quorum : Lead(m, q))

Spec == Init /\ [][Next]_vars

\* There are two leaders.
OneLeader == \A n, m \in Node : n \in leader /\ m \in leader => n = m
=============================================================================
