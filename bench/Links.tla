-------------------------------- MODULE Links --------------------------------
(* Arrows that are drawn one after the other between nodes, one of which is marked: with SYMMETRY each graph is one state, whichever
   node is which. For the cost of SYMMETRY of many values. *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Node, Most
VARIABLES arrows, marked
Init == arrows = {} /\ marked \in Node
Next ==
  /\ Cardinality(arrows) < Most
  /\ \E a, b \in Node : a # b /\ <<a, b>> \notin arrows /\ arrows' = arrows \cup {<<a, b>>}
  /\ UNCHANGED marked
Symmetry == Permutations(Node)
==============================================================================
