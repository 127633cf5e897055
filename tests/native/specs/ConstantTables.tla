---- MODULE ConstantTables ----
\* Constant functions that are applied: one has no value at an argument that nobody asks for.
EXTENDS Integers, Sequences
VARIABLES n, got

Weight[i \in 0..3] == CHOOSE w \in 1..3 : w > i
Home[i \in 1..3] == CHOOSE h \in {"a", "b", "c"} : h = <<"a", "b", "c">>[i]
Pairs == [i \in 1..2, j \in 1..3 |-> CHOOSE s \in SUBSET (1..3) : s = {i, j}]

Init == n = 0 /\ got = <<1, "a", {1}>>
Next == /\ n < 3
        /\ n' = n + 1
        /\ \/ got' = <<Weight[n], Home[n + 1], Pairs[1, n + 1]>>
           \/ n < 2 /\ got' = <<Weight[Weight[n]], Home[Weight[n]], Pairs[n + 1, Weight[n]]>>
Known == \E i \in 1..3 : Home[i] = got[2] /\ i \in got[3]
====
