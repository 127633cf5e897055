---- MODULE Counting ----
\* Mutants that leave the layout of the specification, and one that has no compiled form.
EXTENDS Integers, Sequences
VARIABLES x, queue

vars == <<x, queue>>

Init == x = 0 /\ queue = <<>>

Up == x < 5 /\ x' = x + 1 /\ queue' = Append(queue, x) /\ Len(queue) < 3
Down == x > 0 /\ x' = x - 1 /\ UNCHANGED queue
Empty == queue # <<>> /\ queue' = Tail(queue) /\ x' = IF <<x, TRUE>>[1] = 5 THEN 0 ELSE x

Next == Up \/ Down \/ Empty
Spec == Init /\ [][Next]_vars

TypeOK == x \in 0..5 /\ Len(queue) <= 3
====
