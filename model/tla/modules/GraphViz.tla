--------------------------------- MODULE GraphViz --------------------------------
(* A graph as DOT text; NodeLabel and EdgeLabel give the labels. *)
DotDiGraph(G, NodeLabel(_), EdgeLabel(_)) == CHOOSE text \in STRING : TRUE
==================================================================================
