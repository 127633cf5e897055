---------------------------- MODULE UnknownConstants ---------------------------
\* The configuration gives values to constants that are not declared here: TLC lets it.
CONSTANT Nodes
VARIABLE up
Init == up = {}
Next == \E n \in Nodes \ up : up' = up \cup {n}
================================================================================
