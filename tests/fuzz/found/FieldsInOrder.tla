---- MODULE FieldsInOrder ----
(* The fields are asked in the order of strings, "zur" first: that one cannot be compared, the other is not in its set. *)
EXTENDS Integers, Sequences

CONSTANT n
VARIABLE v

S == [zur : {n, 0}, wet : {0, 1}]
Init == v = [zur |-> n, wet |-> 0]
Next == \E y \in {n, 0} : v' = IF [wet |-> 2, zur |-> Append(<<>>, y)] \in S THEN v ELSE v
====
