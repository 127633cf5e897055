---------------------------- MODULE UndirectedGraphs -----------------------------
(* Undirected graphs: records with a set `node` and a set `edge` of sets of two
   nodes (of one node: a loop).                                                    *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE SequencesExt

UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{a, b} : a, b \in S}]

IsUndirectedGraph(G) ==
    G = [node |-> G.node, edge |-> G.edge] /\ \A e \in G.edge : \E a, b \in G.node : {a, b} = e

IsLoopFreeUndirectedGraph(G) ==
    IsUndirectedGraph(G) /\ \A e \in G.edge : Cardinality(e) = 2

UndirectedSubgraph(G) ==
    {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}

Path(G) ==
    {p \in Seq(G.node) : p # <<>> /\ \A i \in 1..Len(p) - 1 : {p[i], p[i + 1]} \in G.edge}

(* Paths that meet no node twice. *)
SimplePath(G) ==
    LET step(p) == {Append(p, n) : n \in {m \in G.node \ ToSet(p) : {p[Len(p)], m} \in G.edge}}
        RECURSIVE longer(_)
        longer(P) == IF P = {} THEN {} ELSE P \cup longer(UNION {step(p) : p \in P})
    IN  longer({<<n>> : n \in G.node})

(* The nodes that n is connected with, itself included. *)
LOCAL Component(G, n) ==
    LET RECURSIVE grow(_)
        grow(S) ==
            LET T == {m \in G.node : m \in S \/ \E s \in S : {s, m} \in G.edge}
            IN  IF T = S THEN S ELSE grow(T)
    IN  grow({n})

ConnectedComponents(G) == {Component(G, n) : n \in G.node}

AreConnectedIn(m, n, G) == m \in G.node /\ n \in Component(G, m)

IsStronglyConnected(G) == Cardinality(ConnectedComponents(G)) = 1
==================================================================================
