---- MODULE Identity ----
\* A function on model values whose names are in another order than the configuration gives them.
CONSTANTS Words, Nodes
VARIABLES held, word
Init == held \in Nodes /\ word = CHOOSE w \in Words : TRUE
Next == /\ held' = [n \in Nodes |-> n][held]
        /\ word' \in {[w \in Words |-> w][word]}
Same == \A n \in Nodes : [m \in Nodes |-> m][n] = n /\ held = held
Stays == [][held' = held /\ word' = word]_<<held, word>>
====
