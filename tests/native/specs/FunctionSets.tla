---------------------------- MODULE FunctionSets ----------------------------
(* Steps and initial states chosen from sets of functions and of records. *)
EXTENDS Naturals, FiniteSets
VARIABLES f, r
K == {"x", "y", "z"}
TypeOK == f \in [K -> 0..2] /\ r \in [on : BOOLEAN, level : 1..3]
Init == f \in [K -> 0..1] /\ r \in [on : {TRUE}, level : 1..2]
Change == f' \in {g \in [K -> 0..2] : Cardinality({k \in K : g[k] # f[k]}) = 1} /\ UNCHANGED r
Reset == r' \in [on : BOOLEAN, level : {3}] /\ f' = [k \in K |-> IF k = "x" THEN 0 ELSE f[k]]
Next == Change \/ Reset
Total == {f[k] : k \in K} \subseteq 0..2 /\ DOMAIN f = K /\ DOMAIN r = {"on", "level"}
==============================================================================
