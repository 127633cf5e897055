-------------------------------- MODULE Permuted -------------------------------
\* Symmetry, constraints, and a step property.
EXTENDS Integers, FiniteSets, TLC
CONSTANT Node
VARIABLES token, seen
Symmetric == Permutations(Node)
Init == token \in Node /\ seen = {}
Next == \E n \in Node : token' = n /\ seen' = seen \cup {token}
Spec == Init /\ [][Next]_<<token, seen>>
Few == Cardinality(seen) < 3
Grows == [][seen \subseteq seen']_<<token, seen>>
================================================================================
