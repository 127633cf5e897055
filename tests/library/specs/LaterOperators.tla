---------------------------- MODULE LaterOperators -----------------------------
\* Operators that community modules of later releases add.
EXTENDS Integers, Sequences, FiniteSets, TLC, SequencesExt, Functions, IOUtils
D == INSTANCE Graphs
U == INSTANCE UndirectedGraphs
N == INSTANCE Quorum

Tree == [node |-> 1..4, edge |-> {<<1, 2>>, <<1, 3>>, <<3, 4>>}]

ASSUME ToBag(<<"a", "b", "a">>) = "a" :> 2 @@ "b" :> 1
ASSUME IsSorted(<<1, 2, 2>>, <=) /\ ~IsSorted(<<2, 1>>, <=) /\ IsSorted(<<>>, <)
ASSUME SumFunction(<<4, 5, 6>>) = 15 /\ SumFunctionOnSet(<<4, 5, 6>>, {1, 3}) = 10
ASSUME zeroPadN(42, 5) = "00042" /\ zeroPadN(123, 2) = "123"
ASSUME D!Successors(Tree, 1) = {2, 3} /\ D!Predecessors(Tree, 4) = {3} /\ D!AllSuccessors(Tree, {1, 3}) = {2, 3, 4}
ASSUME D!AllPredecessors(Tree, {2, 4}) = {1, 3} /\ D!Descendants(Tree, 1) = {2, 3, 4} /\ D!Ancestors(Tree, 4) = {1, 3}
ASSUME D!OutDegree(Tree, 1) = 2 /\ D!InDegree(Tree, 1) = 0 /\ D!Roots(Tree) = {1} /\ D!Leaves(Tree) = {2, 4}
ASSUME D!IsDag(Tree) /\ D!HasCycle([node |-> {1}, edge |-> {<<1, 1>>}])
ASSUME D!GraphUnion(Tree, D!EmptyGraph) = Tree /\ Cardinality(D!Graphs({1, 2})) = 16
ASSUME D!IsBipartiteWithPartitions(Tree, {1, 4}, {2, 3}) /\ ~D!IsBipartiteWithPartitions(Tree, {1, 2}, {3, 4})
ASSUME Cardinality(U!UndirectedGraphs({1, 2})) = 8
ASSUME N!QuorumSystem({1}) = {{{1}}} /\ {{1, 2}} \in N!QuorumSystem({1, 2})
================================================================================
