---- MODULE FilterInUnionIsAsked ----
EXTENDS Integers
\* A described set is asked for one element only, in unions, intersections and differences: y' has no value there yet, and
\* B has none for 5.
VARIABLES x, y
D == {5, -5}
R == [U : D, z : D]
B(h) == 10 \div (h.U - 5) = 7
S == {h \in R : B(h)}
one == [U |-> 1, z |-> 1]
Init == x = 1 /\ y = 1
Next == /\ x' = ([h \in ({h \in R : y' # y} \cup {[z |-> 2, U |-> 2]}) |-> h][[z |-> 2, U |-> 2]]).z
        /\ y' = 1
        /\ one \notin S \ {one}
        /\ one \notin S \cap R
        /\ one \notin R \cap S
        /\ one \notin R \ S
        /\ one \in S \cup {one}
        /\ {one} \notin SUBSET (S \ {})
        /\ {one} \cap (S \ {}) = {}
====
