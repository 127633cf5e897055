---- MODULE ConstantIsAskedByUnion ----
EXTENDS Naturals, Sequences
\* By their types every sequence without elements is in the set; this one has no value.
VARIABLE x
Init == x = 1
Next == x' = 2 /\ Tail(<<>>) \in Seq(UNION (SUBSET BOOLEAN))
====
