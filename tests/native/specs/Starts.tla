------------------------------- MODULE Starts -------------------------------
(* Initial states by membership, disjunction, IF, inclusion and quantifiers. *)
EXTENDS Naturals
VARIABLES a, b, c
Init ==
  /\ a \in 0..2
  /\ IF a = 0 THEN b = {} ELSE b \subseteq {1, 2}
  /\ \/ c = "low" /\ a < 2
     \/ \E n \in 1..2 : n \in b /\ c = IF n = 1 THEN "one" ELSE "two"
Next == a' = (a + 1) % 3 /\ b' = b \ {a'} /\ c' = IF b' = {} THEN "low" ELSE c
TypeOK == a \in 0..2 /\ b \subseteq {1, 2} /\ c \in {"low", "one", "two"}
==============================================================================
