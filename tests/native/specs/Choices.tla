------------------------------- MODULE Choices -------------------------------
(* CHOOSE of least, greatest and only elements, of numbers, sets and records. *)
EXTENDS Naturals, FiniteSets
VARIABLES s, picked
Least(t) == CHOOSE n \in t : \A m \in t : n <= m
Greatest(t) == CHOOSE n \in t : \A m \in t : n >= m
Init == s \in SUBSET (1..4) /\ picked = 0
TakeLeast == s # {} /\ picked' = Least(s) /\ s' = s \ {Least(s)}
TakeGreatest == s # {} /\ picked' = Greatest(s) /\ s' = s \ {Greatest(s)}
Pair == Cardinality(s) = 2 /\ LET p == CHOOSE t \in SUBSET s : Cardinality(t) = 1 IN s' = p /\ picked' = Greatest(p)
Rec == s # {} /\ LET r == CHOOSE r \in [a : s, b : s] : r.a >= r.b /\ r.a = Greatest(s) IN picked' = r.b /\ UNCHANGED s
Next == TakeLeast \/ TakeGreatest \/ Pair \/ Rec
TypeOK == s \subseteq 1..4 /\ picked \in 0..4
==============================================================================
