---- MODULE E25 ----
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANT m, n, u
VARIABLE x, s, f, g
C == SUBSET {1,2}
Init == x \in {3, 2} /\ s = "a" /\ f = [i \in {x} |-> 1] /\ g = [i \in {s} |-> 1]
Next == x' = x /\ s' = s /\ UNCHANGED <<f, g>>
Differs == u \notin SUBSET SUBSET {x}
====
