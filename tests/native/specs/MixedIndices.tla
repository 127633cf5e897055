----------------------------- MODULE MixedIndices -----------------------------
(* Sequences changed at a place that is a number or none; membership in unions of sets of functions. *)
EXTENDS Naturals, Sequences
CONSTANT None
VARIABLES row, at, pairs
Init == row = <<0, 0, 0>> /\ at = None /\ pairs = [n \in 0..1 |-> <<None, n>>]
Enter == at = None /\ \E i \in DOMAIN row : at' = i /\ UNCHANGED <<row, pairs>>
Count == at # None /\ row[at] < 2 /\ row' = [row EXCEPT ![at] = @ + 1, ![1] = @] /\ at' = None /\ UNCHANGED pairs
Clear == at # None /\ row[at] = 2 /\ row' = [row EXCEPT ![at] = 0, ![4 - at] = row[at] - 1] /\ at' = None
         /\ pairs' = [n \in 0..1 |-> [pairs[n] EXCEPT ![2] = 1 - @]]
Next == Enter \/ Count \/ Clear
Typed == [row |-> row, pairs |-> pairs] \in
           [row : UNION {[1..3 -> 0..2]}, pairs : UNION {[0..1 -> {None} \X {0, 1}], [0..2 -> {None} \X (0..2)]}]
Few == row \in UNION {[1..n -> 0..1] : n \in 2..4} \/ \E i \in DOMAIN row : row[i] = 2
==============================================================================
