---- MODULE UnionOfFunctions ----
\* Each set of a union is asked for itself: a function on another number of arguments is compared with no record.
EXTENDS Integers
CONSTANT m
VARIABLE x
Records == UNION {[names -> 1..2] : names \in SUBSET {"a", "b"}}
Init == x = [n \in {m, 1, 2} |-> 1]
Next == x' = x
Foreign == x \notin Records
====
