----------------------------- MODULE SetAlgebra -----------------------------
(* Union, intersection, difference, inclusion, SUBSET and UNION of sets of sets. *)
EXTENDS FiniteSets, Naturals
VARIABLES x, y, family
E == 1..3
TypeOK == x \subseteq E /\ y \subseteq E /\ family \subseteq SUBSET E
Init == x = {} /\ y \in SUBSET E /\ family = {}
Add == \E e \in E \ x : x' = x \cup {e} /\ UNCHANGED <<y, family>>
Swap == x' = y /\ y' = x /\ x # y /\ UNCHANGED family
Keep == Cardinality(family) < 2 /\ x \notin family /\ family' = family \union {x, x \cap y} /\ UNCHANGED <<x, y>>
Collapse == family # {} /\ x' = UNION family /\ family' = {} /\ y' = y \ UNION family
Next == Add \/ Swap \/ Keep \/ Collapse
Laws ==
  /\ (x \cup y) \ y = x \ y
  /\ x \subseteq y <=> x \cap y = x
  /\ Cardinality(x \cup y) + Cardinality(x \cap y) = Cardinality(x) + Cardinality(y)
  /\ \A s \in family : s \in SUBSET E
  /\ UNION SUBSET x = x
==============================================================================
