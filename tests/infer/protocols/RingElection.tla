---------------------------- MODULE RingElection ----------------------------
(* Chang and Roberts: identities go round a ring; a node passes on those that are greater than its own. *)
EXTENDS Naturals

CONSTANTS a, b, c, d

Node == {a, b, c, d}
After(n) == CASE n = a -> b [] n = b -> c [] n = c -> d [] OTHER -> a
Place(n) == CASE n = a -> 1 [] n = b -> 2 [] n = c -> 3 [] OTHER -> 4
Identity(n) == CASE n = a -> 2 [] n = b -> 4 [] n = c -> 1 [] OTHER -> 3
Less(n, m) == Identity(n) < Identity(m)
Between(n, m, o) ==
  \/ Place(n) < Place(m) /\ Place(m) < Place(o)
  \/ Place(o) < Place(n) /\ Place(n) < Place(m)
  \/ Place(m) < Place(o) /\ Place(o) < Place(n)

VARIABLES
  pending,  \* <<i, n>>: the identity of node i is on its way to node n
  leader

vars == <<pending, leader>>

TypeOK == pending \subseteq Node \X Node /\ leader \subseteq Node

Init == pending = {} /\ leader = {}

Send(n) ==
  /\ pending' = pending \cup {<<n, After(n)>>}
  /\ UNCHANGED leader

Elect(n) ==
  /\ <<n, n>> \in pending
  /\ leader' = leader \cup {n}
  /\ pending' = pending \ {<<n, n>>}

Pass(i, n) ==
  /\ <<i, n>> \in pending /\ Less(n, i)
  /\ pending' = (pending \ {<<i, n>>}) \cup {<<i, After(n)>>}
  /\ UNCHANGED leader

Drop(i, n) ==
  /\ <<i, n>> \in pending /\ Less(i, n)
  /\ pending' = pending \ {<<i, n>>}
  /\ UNCHANGED leader

Next == (\E n \in Node : Send(n) \/ Elect(n)) \/ (\E i, n \in Node : Pass(i, n) \/ Drop(i, n))

Spec == Init /\ [][Next]_vars

\* Two nodes believe to be the leader.
OneLeader == \A n, m \in Node : n \in leader /\ m \in leader => n = m
=============================================================================
