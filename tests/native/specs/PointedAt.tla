---- MODULE PointedAt ----
\* Large values go to operators, to recursive ones and to functions, whole and in part; long sets and sparse functions
\* are packed.
EXTENDS Integers, Sequences, FiniteSets
VARIABLES graph, sent, seen

Node == 1..4
Edge == Node \X Node
Vertices(G) == G[1]
Edges(G) == G[2]
From(G, v) == {u \in Vertices(G) : <<v, u>> \in Edges(G)}
RECURSIVE Reach(_, _, _)
Reach(G, at, n) == IF n = 0 THEN at ELSE Reach(G, at \cup UNION {From(G, v) : v \in at}, n - 1)
Far(G) == LET all == Edges(G)
              Out[v \in Node] == {u \in Node : <<v, u>> \in all}
              Two[p \in Edge] == p[2] \in Out[p[1]] \/ \E m \in Node : m \in Out[p[1]] /\ p[2] \in Out[m]
          IN {p \in Edge : Two[p]}
Weights == [e \in Edge |-> e[1] * e[2]]
Mark(f, e, G) == [d \in DOMAIN f \cup {e} |-> IF d = e THEN Weights[e] + Cardinality(Edges(G)) - 1 ELSE f[d]]

Init == graph = <<Node, {}>> /\ sent = [e \in {} |-> 0] /\ seen = {}
Join == \E e \in {<<1, 2>>, <<2, 3>>, <<3, 4>>, <<4, 1>>} :
          /\ e \notin Edges(graph)
          /\ graph' = [graph EXCEPT ![2] = @ \cup {e}]
          /\ sent' = Mark(sent, e, graph')
          /\ seen' = seen \cup {{e, <<e[2], v>>} : v \in Reach(graph', {e[1]}, 2)}
Cut == /\ Cardinality(Edges(graph)) = 4
       /\ graph' = <<Vertices(graph), Far(graph) \ Edges(graph)>>
       /\ sent' = [e \in Edge \ Edges(graph) |-> Weights[e]]
       /\ UNCHANGED seen
Next == Join \/ Cut
Near == Cardinality(seen) < 14 /\ \A e \in DOMAIN sent : sent[e] <= 16 + 3
====
