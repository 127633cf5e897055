-------------------------------- MODULE Logs --------------------------------
(* Logs of records per node: append, truncate, compare. *)
EXTENDS Naturals, Sequences
VARIABLES log, term
Nodes == {"a", "b"}
Entry == [term : 1..2, value : {"x", "y"}]
TypeOK == log \in [Nodes -> Seq(Entry)] /\ term \in [Nodes -> 1..2] /\ \A n \in Nodes : Len(log[n]) <= 2
Init == log = [n \in Nodes |-> <<>>] /\ term = [n \in Nodes |-> 1]
Write(n) == \E v \in {"x", "y"} :
  Len(log[n]) < 2 /\ log' = [log EXCEPT ![n] = Append(@, [term |-> term[n], value |-> v])] /\ UNCHANGED term
Advance(n) == term[n] < 2 /\ term' = [term EXCEPT ![n] = 2] /\ UNCHANGED log
Agree(n, m, k) == k <= Len(log[n]) /\ k <= Len(log[m]) /\ \A j \in 1..k : log[n][j] = log[m][j]
Common(n, m) == CHOOSE k \in 0..2 : Agree(n, m, k) /\ \A j \in 0..2 : Agree(n, m, j) => j <= k
Truncate(n, m) == Len(log[n]) > Common(n, m) /\ log' = [log EXCEPT ![n] = SubSeq(@, 1, Common(n, m))] /\ UNCHANGED term
Next == \E n, m \in Nodes : n # m /\ (Write(n) \/ Advance(n) \/ Truncate(n, m))
Terms == \A n \in Nodes : \A i \in DOMAIN log[n] : log[n][i].term <= term[n]
==============================================================================
