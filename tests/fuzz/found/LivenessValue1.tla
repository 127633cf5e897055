---- MODULE LivenessValue1 ----
\* What a temporal formula asks of a state needs a value in every state, where it cannot matter, too.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Live == (10 \div x = 10) ~> TRUE
====
