------------------------------- MODULE Orbits -------------------------------
(* Values of every kind made of values that may be exchanged: some can be told apart by how they occur, some cannot. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Node, Item
VARIABLES sees, line, groups, notes, holds, step
Symmetry == Permutations(Node) \cup Permutations(Item)
Init ==
  /\ sees = [n \in Node |-> {}]
  /\ line = <<>>
  /\ groups = {}
  /\ notes = {}
  /\ holds = [i \in {} |-> 0]
  /\ step = 0
See(a, b) == a # b /\ sees' = [sees EXCEPT ![a] = @ \cup {b}] /\ UNCHANGED <<line, groups, notes, holds>>
Queue(a) == Len(line) < 2 /\ line' = Append(line, a) /\ UNCHANGED <<sees, groups, notes, holds>>
Gather(a, b) == groups' = groups \cup {{a, b}} /\ UNCHANGED <<sees, line, notes, holds>>
Note(a, i) ==
  /\ notes' = notes \cup {IF a \in {line[k] : k \in DOMAIN line} THEN [kind |-> "own", of |-> <<a, i>>] ELSE [kind |-> "item", item |-> i]}
  /\ UNCHANGED <<sees, line, groups, holds>>
Hold(i, n) == i \notin DOMAIN holds /\ holds' = (i :> n) @@ holds /\ UNCHANGED <<sees, line, groups, notes>>
Next ==
  /\ step < 3
  /\ step' = step + 1
  /\ \E a, b \in Node, i \in Item :
       See(a, b) \/ Queue(a) \/ Gather(a, b) \/ Note(a, i) \/ Hold(i, Cardinality(sees[a]))
TypeOK == step \in 0..4 /\ Cardinality(notes) <= 4
=============================================================================
