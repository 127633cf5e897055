------------------------------- MODULE Waiting -------------------------------
(* ENABLED of parametrised actions, in an invariant under a quantifier. *)
EXTENDS Naturals
VARIABLES turn, count
Init == turn \in 0..2 /\ count = [i \in 0..2 |-> 0]
Go(i) == turn = i /\ count[i] < 2 /\ count' = [count EXCEPT ![i] = @ + 1] /\ turn' = (i + 1) % 3
Skip == ~ENABLED Go(turn) /\ turn' = (turn + 1) % 3 /\ UNCHANGED count
Next == Skip \/ \E i \in 0..2 : Go(i)
TypeOK == turn \in 0..2 /\ count \in [0..2 -> 0..2]
OneAtATime == \A i, j \in 0..2 : (ENABLED Go(i)) /\ (ENABLED Go(j)) => i = j
==============================================================================
