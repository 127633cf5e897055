---------------------------------- MODULE Graphs ---------------------------------
(* Directed graphs: records with a set `node` and a set `edge` of pairs of nodes. *)
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation

EmptyGraph == [node |-> {}, edge |-> {}]

Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]

IsDirectedGraph(G) ==
    G = [node |-> G.node, edge |-> G.edge] /\ \A e \in G.edge : e \in G.node \X G.node

IsUndirectedGraph(G) == IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge

DirectedSubgraph(G) ==
    {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : H.edge \subseteq H.node \X H.node}

UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}

Transpose(G) == [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]

GraphUnion(G, H) == [node |-> G.node \cup H.node, edge |-> G.edge \cup H.edge]

----------------------------------------------------------------------------------

Successors(G, n) == {m \in G.node : <<n, m>> \in G.edge}
Predecessors(G, n) == {m \in G.node : <<m, n>> \in G.edge}
AllSuccessors(G, S) == UNION {Successors(G, n) : n \in S}
AllPredecessors(G, S) == UNION {Predecessors(G, n) : n \in S}
OutDegree(G, n) == Cardinality(Successors(G, n))
InDegree(G, n) == Cardinality(Predecessors(G, n))
Roots(G) == {n \in G.node : Predecessors(G, n) = {}}
Leaves(G) == {n \in G.node : Successors(G, n) = {}}

(* What is met from the nodes of `from` in one step or more. *)
LOCAL Reached(G, from) ==
    LET RECURSIVE grow(_)
        grow(S) == LET T == S \cup AllSuccessors(G, S)
                   IN  IF T = S THEN S ELSE grow(T)
    IN  grow(AllSuccessors(G, from))

Descendants(G, n) == Reached(G, {n})
Ancestors(G, n) == Reached(Transpose(G), {n})

HasCycle(G) == \E n \in G.node : n \in Descendants(G, n)
IsDag(G) == IsDirectedGraph(G) /\ ~HasCycle(G)

IsBipartiteWithPartitions(G, U, V) ==
    /\ U \cup V = G.node
    /\ U \cap V = {}
    /\ \A e \in G.edge : (e[1] \in U) # (e[2] \in U)

----------------------------------------------------------------------------------

Path(G) ==
    {p \in Seq(G.node) : p # <<>> /\ \A i \in 1..Len(p) - 1 : <<p[i], p[i + 1]>> \in G.edge}

(* Paths that meet no node twice. *)
SimplePath(G) ==
    LET RECURSIVE longer(_)
        longer(P) ==
            LET next == UNION {{Append(p, n) : n \in Successors(G, p[Len(p)]) \ ToSet(p)} : p \in P}
            IN  IF P = {} THEN {} ELSE P \cup longer(next)
    IN  longer({<<n>> : n \in G.node})

AreConnectedIn(m, n, G) ==
    m \in G.node /\ n \in G.node /\ (m = n \/ n \in Descendants(G, m))

(* For each pair of nodes: is there a path from the first to the second? *)
ConnectionsIn(G) ==
    LET ahead == [n \in G.node |-> Descendants(G, n)]
    IN  [p \in G.node \X G.node |-> p[1] = p[2] \/ p[2] \in ahead[p[1]]]

IsStronglyConnected(G) == \A m, n \in G.node : AreConnectedIn(m, n, G)

(* Edges lead from a child to its parent. *)
IsTreeWithRoot(G, r) ==
    /\ IsDirectedGraph(G)
    /\ r \in G.node
    /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge : (e[1] = f[1]) => (e = f)
    /\ \A n \in G.node : AreConnectedIn(n, r, G)
==================================================================================
