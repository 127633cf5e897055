---------------------------- MODULE KnownConstants ----------------------------
(* Constants that only the Python engine can compute: values of no set, of the environment, of other modules. *)
EXTENDS Naturals, Sequences, FiniteSets, IOUtils, Json, TLC
VARIABLES at, seen
Size == IF "A_NAME_THAT_NOBODY_SETS" \in DOMAIN IOEnv THEN 2 ELSE 4
Graph == [start |-> {1}, next |-> [n \in 1..Size |-> {m \in 1..Size : (n + m) % 3 = 0}], name |-> ToString(Size)]
Weights == [n \in {"a", "b"} |-> IF n = "a" THEN <<1, Size>> ELSE <<>>]
Init == at \in Graph.start /\ seen = <<>>
Move == \E m \in Graph.next[at] : at' = m /\ seen' = IF Len(seen) < 2 THEN Append(seen, m) ELSE seen
Back == \E w \in {"a", "b"} : Len(Weights[w]) > 1 /\ at' = Weights[w][2] /\ seen' = <<>> /\ Graph.name = "4"
Next == Move \/ Back
Inside == at \in DOMAIN Graph.next /\ Len(seen) <= Cardinality({n \in 1..Size : Graph.next[n] # {}})
==============================================================================
