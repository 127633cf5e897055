------------------------------ MODULE Sentinels ------------------------------
(* Variables that hold a number or a model value that stands for none. *)
EXTENDS Naturals
CONSTANTS None, Nodes
VARIABLES owner, value
TypeOK == owner \in Nodes \cup {None} /\ value \in [Nodes -> 0..2 \cup {None}]
Init == owner = None /\ value = [n \in Nodes |-> None]
Take(n) == owner = None /\ owner' = n /\ UNCHANGED value
Set(n) == owner = n /\ \E v \in 0..2 : value' = [value EXCEPT ![n] = v] /\ owner' = None
Clear(n) == value[n] # None /\ value[n] > 0 /\ value' = [value EXCEPT ![n] = None] /\ UNCHANGED owner
Next == \E n \in Nodes : Take(n) \/ Set(n) \/ Clear(n)
Known == \A n \in Nodes : value[n] = None \/ value[n] \in 0..2
==============================================================================
