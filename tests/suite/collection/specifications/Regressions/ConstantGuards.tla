---------------------------- MODULE ConstantGuards -----------------------------
\* Guards that depend on no variable branch as others do, unless they are definitions
\* without parameters, whose value is computed beforehand.
EXTENDS Integers
VARIABLE x
Above(n) == \E i \in 1..3 : i > n
Any == \E i \in 1..3 : i > 0
Guarded(G) == G /\ x' = x + 1
Init == x = 0 /\ (\E i \in 1..2 : i > 0)
Direct == x = 0 /\ (\E i \in 1..3 : i > 0) /\ x' = 1
Called == x = 1 /\ Above(1) /\ x' = 2
Named == x = 2 /\ Any /\ x' = 3
Either == x = 3 /\ (TRUE \/ 1 < 2) /\ x' = 4
Local == x = 4 /\ LET G == \E i \in 1..3 : i > 0 IN G /\ x' = 5
LocalOfState == x = 5 /\ LET G == \E i \in 3..7 : i > x IN G /\ x' = 6
LocalOperator == x = 6 /\ LET G(n) == \E i \in 1..3 : i > n IN G(1) /\ x' = 7
Passed == x = 7 /\ Guarded(\E i \in 1..4 : i > 0)
PassedOfState == x = 8 /\ Guarded(\E i \in 1..10 : i > x)
Chosen == x = 9 /\ (IF x > 0 THEN \E i \in 1..3 : i > 0 ELSE FALSE) /\ x' = 10
Cases == x = 10 /\ (CASE x > 0 -> \E i \in 1..3 : i > 0 [] OTHER -> FALSE) /\ x' = 11
Implied == x = 11 /\ (x > 0 => \E i \in 1..3 : i > 0) /\ x' = 12
Negated == x = 12 /\ ~(x < 0 /\ x > 3) /\ x' = 13
Equal == x = 13 /\ ((\E i \in 1..3 : i > 0) = TRUE) /\ x' = 14
Everywhere == x = 14 /\ (\A j \in 1..2 : \E i \in 1..3 : i > j) /\ x' = 15
Applied == x = 15 /\ [j \in 1..2 |-> \E i \in 1..3 : i > j][1] /\ x' = 0
Next == \/ Direct \/ Called \/ Named \/ Either \/ Local \/ LocalOfState \/ LocalOperator \/ Passed
        \/ PassedOfState \/ Chosen \/ Cases \/ Implied \/ Negated \/ Equal \/ Everywhere \/ Applied
================================================================================
