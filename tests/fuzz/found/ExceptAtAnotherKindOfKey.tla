---- MODULE ExceptAtAnotherKindOfKey ----
\* A key of another kind cannot be compared with the function's; the reference evaluator took it for one that is missing.
EXTENDS Integers
VARIABLE x
Init == x = 1
Next == UNCHANGED x
Same == [[i \in 1..2 |-> i] EXCEPT ![{}] = x][1] = 1
====
