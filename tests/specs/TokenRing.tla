------------------------------ MODULE TokenRing ------------------------------
(* Dijkstra's self-stabilising ring of K-state machines, started from any state at all. *)
EXTENDS Naturals, FiniteSets

CONSTANTS N, K
ASSUME N \in Nat \ {0} /\ K \in Nat \ {0} /\ K >= N

Machines == 0..N-1

VARIABLE state

Init == state \in [Machines -> 0..K-1]

Privileged(i) == IF i = 0 THEN state[0] = state[N-1] ELSE state[i] # state[i-1]

Move(i) ==
  /\ Privileged(i)
  /\ state' = [state EXCEPT ![i] = IF i = 0 THEN (@ + 1) % K ELSE state[i-1]]

Next == \E i \in Machines : Move(i)

Spec == Init /\ [][Next]_state

Tokens == {i \in Machines : Privileged(i)}

\* No machine holds a token: the ring has died.
SomeToken == Tokens # {}
\* A step has made tokens out of nothing.
NeverMoreTokens == [][Cardinality(Tokens') <= Cardinality(Tokens)]_state
==============================================================================
