---- MODULE LivenessSettled ----
\* A constant that decides a junction of a temporal formula: nothing else in it is asked, in TLC, too.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Leads == ((2 < 0^1) = TRUE) ~> (10 \div x = 10)
Implies == (1 = 2) => []<>(10 \div x = 10)
Or == <>(10 \div x = 10) \/ (1 = 1)
====
