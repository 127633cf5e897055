---------------------------- MODULE GraphOperators -----------------------------
\* What Graphs and UndirectedGraphs mean. Values verified with TLC.
EXTENDS Integers, FiniteSets, Sequences
D == INSTANCE Graphs
U == INSTANCE UndirectedGraphs

Line == [node |-> 1..3, edge |-> {<<1, 2>>, <<2, 3>>}]
Ring == [node |-> 1..3, edge |-> {<<1, 2>>, <<2, 3>>, <<3, 1>>}]
Two == [node |-> 1..4, edge |-> {{1, 2}, {3, 4}}]
Path3 == [node |-> 1..3, edge |-> {{1, 2}, {2, 3}}]

ASSUME D!IsDirectedGraph(Line) /\ ~D!IsDirectedGraph([node |-> {1}, edge |-> {<<1, 2>>}])
ASSUME ~D!IsUndirectedGraph(Line) /\ D!IsUndirectedGraph([node |-> {1, 2}, edge |-> {<<1, 2>>, <<2, 1>>}])
ASSUME Cardinality(D!DirectedSubgraph([node |-> {1, 2}, edge |-> {<<1, 2>>}])) = 5
ASSUME D!Transpose(Line).edge = {<<2, 1>>, <<3, 2>>}
ASSUME <<1, 2, 3>> \in D!Path(Line) /\ <<1, 3>> \notin D!Path(Line) /\ <<>> \notin D!Path(Line)
ASSUME D!SimplePath(Line) = {<<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 3>>, <<1, 2, 3>>}
ASSUME Cardinality(D!SimplePath(Ring)) = 9
ASSUME D!AreConnectedIn(1, 3, Line) /\ ~D!AreConnectedIn(3, 1, Line) /\ D!AreConnectedIn(2, 2, Line)
ASSUME D!ConnectionsIn(Line) = [m, n \in 1..3 |-> m <= n]
ASSUME D!IsStronglyConnected(Ring) /\ ~D!IsStronglyConnected(Line)
ASSUME D!IsTreeWithRoot(Line, 3) /\ ~D!IsTreeWithRoot(Line, 1) /\ ~D!IsTreeWithRoot(Ring, 1)

ASSUME U!IsUndirectedGraph(Two) /\ U!IsUndirectedGraph([node |-> {1}, edge |-> {{1}}])
ASSUME U!IsLoopFreeUndirectedGraph(Two) /\ ~U!IsLoopFreeUndirectedGraph([node |-> {1}, edge |-> {{1}}])
ASSUME Cardinality(U!UndirectedSubgraph([node |-> {1, 2}, edge |-> {{1, 2}}])) = 5
ASSUME <<3, 2, 1>> \in U!Path(Path3) /\ <<1, 3>> \notin U!Path(Path3)
ASSUME Cardinality(U!SimplePath(Path3)) = 9
ASSUME U!ConnectedComponents(Two) = {{1, 2}, {3, 4}} /\ U!ConnectedComponents(Path3) = {1..3}
ASSUME U!AreConnectedIn(1, 2, Two) /\ ~U!AreConnectedIn(1, 3, Two)
ASSUME U!IsStronglyConnected(Path3) /\ ~U!IsStronglyConnected(Two)
================================================================================
