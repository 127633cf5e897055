----------------------------- MODULE SteadyParts -----------------------------
(* Parts of loops that the loop does not change: of the present state, of the next one, of an outer loop; with no value *)
(* where they are not needed; subsets that are looked for again and again, more of them than are kept.                 *)
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES queue, order, seen
Ids == {i \in 1..3 : i <= Len(queue)}
Orders == {R \in SUBSET (Ids \X Ids) :
             /\ \A i, j \in Ids : i = j \/ <<i, j>> \in R \/ <<j, i>> \in R
             /\ \A i, j, k \in Ids : <<i, j>> \in R /\ <<j, k>> \in R => <<i, k>> \in R
             /\ \A i \in Ids : <<i, i>> \notin R}
Ordered == \E R \in Orders : order \subseteq R /\ \A i, j \in Ids : queue[i] < queue[j] => <<i, j>> \in R
Reorder == order' \in SUBSET (Ids' \X Ids') /\ order \subseteq order' /\ Ordered'
Init == queue = <<>> /\ order = {} /\ seen = 0
Enter == \E x \in 0..1 : Len(queue) < 3 /\ queue' = Append(queue, x) /\ Reorder /\ seen' = Cardinality(Orders)
Turn == \E i, j \in Ids : /\ i # j
                          /\ queue' = [queue EXCEPT ![i] = queue[j], ![j] = queue[i]]
                          /\ Reorder
                          /\ seen' = Cardinality({R \in Orders : <<i, j>> \in R})
Next == Enter \/ Turn
First == CHOOSE i \in Ids : \A j \in Ids : queue[i] <= queue[j]
Several == {S \in SUBSET (1..7) : Cardinality(S) # seen}
Failing == {S \in SUBSET Ids : queue[Cardinality(S)] >= 0}
\* what has no value while the queue is empty is not needed then
A == \A i \in 1..3 : i <= Len(queue) => \E j \in 1..3 : j <= Len(queue) /\ First \in Ids /\ queue[First] <= queue[j]
B == \A x \in 0..1 : LET least == queue[First] IN x \in {queue[i] : i \in Ids} => least <= x
C == \A i \in Ids, j \in Ids : \E m \in 0..1 : (CHOOSE k \in Ids : queue[k] = queue[i]) <= i /\ m <= queue[i]
\* a failure that is not looked at in one turn is one in the next
D == \A x \in 0..1 : LET some == \E S \in Failing : Cardinality(S) > x IN Len(queue) > 5 => some
\* more than are kept, and a loop over the same subsets in itself
E == \A n \in 0..7 : \E S \in Several : Cardinality(S) = n \/ n = seen
F == \A R \in Orders : \A Q \in Orders : R = Q \/ \E i \in Ids : \E j \in Ids : <<i, j>> \in R /\ <<i, j>> \notin Q
G == seen <= 6 /\ Cardinality(Orders) = CASE Len(queue) < 2 -> 1 [] Len(queue) = 2 -> 2 [] OTHER -> 6
==============================================================================
