------------------------------ MODULE TupleKeys ------------------------------
(* Functions of two arguments, applied, updated and built. *)
EXTENDS Naturals
VARIABLE d
N == 1..2
Init == d = [i, j \in N |-> IF i = j THEN 0 ELSE 2]
Nearer == \E i, j \in N : i # j /\ d[i, j] > 0 /\ d' = [d EXCEPT ![i, j] = @ - 1]
Turn == d' = [i, j \in N |-> d[j, i]]
Row == \E i \in N : d' = [p \in N \X N |-> IF p[1] = i THEN 1 ELSE d[p]]
Next == Nearer \/ Turn \/ Row
TypeOK == d \in [N \X N -> 0..2]
==============================================================================
