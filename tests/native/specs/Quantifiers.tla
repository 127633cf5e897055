----------------------------- MODULE Quantifiers -----------------------------
(* Bounded quantifiers: nested, several binders, empty sets, sets that depend on one another. *)
EXTENDS Naturals, FiniteSets
VARIABLE f
N == 1..3
Init == f \in [N -> 0..1]
Flip == \E i, j \in N : i < j /\ f' = [f EXCEPT ![i] = f[j], ![j] = f[i]] /\ f' # f
Raise == \E i \in N : (\A j \in 1..(i - 1) : f[j] = 1) /\ f[i] = 0 /\ f' = [f EXCEPT ![i] = 1]
Lower == \E i \in {k \in N : f[k] > 0} : f' = [f EXCEPT ![i] = @ - 1]
Next == Flip \/ Raise \/ Lower
A == (\A i \in N : \E j \in N : f[j] >= f[i]) /\ ~(\E i \in {} : TRUE) /\ \A i \in {} : FALSE
B == \A i \in N : \A s \in SUBSET N : i \in s => Cardinality(s) > 0
C == (\E i, j \in N, b \in BOOLEAN : (f[i] = f[j]) = b /\ i # j)
TypeOK == f \in [N -> 0..1]
==============================================================================
