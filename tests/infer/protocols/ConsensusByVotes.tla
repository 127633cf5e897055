-------------------------- MODULE ConsensusByVotes --------------------------
(* A leader is elected by messages that ask for votes and grant them, and decides. After "consensus" of Ivy and IC3PO. *)
CONSTANTS Node, Value, Quorum

ASSUME \A q, r \in Quorum : \E n \in Node : n \in q /\ n \in r

VARIABLES
  asked,    \* <<n, m>>: n has asked m for its vote
  voted,    \* who has voted
  granted,  \* <<n, m>>: m's vote for n is under way or has arrived
  votes,    \* <<n, m>>: n has m's vote
  leader,
  decided   \* <<n, v>>

vars == <<asked, voted, granted, votes, leader, decided>>

TypeOK ==
  /\ asked \subseteq Node \X Node /\ granted \subseteq Node \X Node /\ votes \subseteq Node \X Node
  /\ voted \subseteq Node /\ leader \subseteq Node /\ decided \subseteq Node \X Value

Init == asked = {} /\ voted = {} /\ granted = {} /\ votes = {} /\ leader = {} /\ decided = {}

Ask(n, m) ==
  /\ asked' = asked \cup {<<n, m>>}
  /\ UNCHANGED <<voted, granted, votes, leader, decided>>

Grant(n, m) ==
  /\ m \notin voted /\ <<n, m>> \in asked
  /\ granted' = granted \cup {<<n, m>>}
  /\ voted' = voted \cup {m}
  /\ asked' = asked \ {<<n, m>>}
  /\ UNCHANGED <<votes, leader, decided>>

Count(n, m) ==
  /\ <<n, m>> \in granted
  /\ votes' = votes \cup {<<n, m>>}
  /\ UNCHANGED <<asked, voted, granted, leader, decided>>

Lead(n, q) ==
  /\ \A m \in Node : m \in q => <<n, m>> \in votes
  /\ leader' = leader \cup {n}
  /\ UNCHANGED <<asked, voted, granted, votes, decided>>

Decide(n, v) ==
  /\ n \in leader
  /\ \A w \in Value : <<n, w>> \notin decided
  /\ decided' = decided \cup {<<n, v>>}
  /\ UNCHANGED <<asked, voted, granted, votes, leader>>

Next ==
  \/ \E n, m \in Node : Ask(n, m) \/ Grant(n, m) \/ Count(n, m)
  \/ \E n \in Node, q \in Quorum : Lead(n, q)
  \/ \E n \in Node, v \in Value : Decide(n, v)

Spec == Init /\ [][Next]_vars

\* Two decisions differ.
Agreement == \A n, m \in Node, v, w \in Value : <<n, v>> \in decided /\ <<m, w>> \in decided => v = w
=============================================================================
