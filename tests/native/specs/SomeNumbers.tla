----------------------------- MODULE SomeNumbers -----------------------------
(* Values that are numbers or model values, asked whether they are in sets of numbers. *)
EXTENDS Integers, Sequences
CONSTANT None
VARIABLES v, seen, pair
Init == v = None /\ seen = {} /\ pair = <<>>
Take == v = None /\ \E n \in -1..2 : v' = n /\ pair' = <<None, n>> /\ UNCHANGED seen
Drop == v # None /\ v' = None /\ seen' = seen \cup {v} /\ UNCHANGED pair
Swap == \E i \in DOMAIN pair : pair' = <<pair[3 - i], pair[i]>> /\ UNCHANGED <<v, seen>>
Move == v \in 1..2 /\ v' = v - 1 /\ seen' = {n \in seen : n \notin Nat \ {0}} /\ UNCHANGED pair
Next == Take \/ Drop \/ Swap \/ Move
Known == v = None \/ v \in Int
Positive == v \in Nat \ {0} => v \in {1, 2}
Counted == \A i \in DOMAIN pair : pair[i] \in Nat => pair[i] \in 0..2
==============================================================================
