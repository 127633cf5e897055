---------------------------- MODULE ToyConsensus ----------------------------
(* Every node votes once; a value that a quorum votes for is decided. The simplest consensus of the literature. *)
CONSTANTS Node, Value, Quorum

ASSUME \A q, r \in Quorum : \E n \in Node : n \in q /\ n \in r

VARIABLES vote, decided

vars == <<vote, decided>>

TypeOK == vote \subseteq Node \X Value /\ decided \subseteq Value

Init == vote = {} /\ decided = {}

Vote(n, v) ==
  /\ \A w \in Value : <<n, w>> \notin vote
  /\ vote' = vote \cup {<<n, v>>}
  /\ UNCHANGED decided

Decide(v, q) ==
  /\ \A n \in Node : n \in q => <<n, v>> \in vote
  /\ decided' = decided \cup {v}
  /\ UNCHANGED vote

Next == (\E n \in Node, v \in Value : Vote(n, v)) \/ (\E v \in Value, q \in Quorum : Decide(v, q))

Spec == Init /\ [][Next]_vars

\* Two values are decided.
Agreement == \A v, w \in Value : v \in decided /\ w \in decided => v = w
=============================================================================
