----------------------------- MODULE GuardBranches -----------------------------
\* Guards without primes generate a successor for each way in which they are true:
\* disjuncts, witnesses, and those inside of a recursive function that a guard applies.
EXTENDS Integers
VARIABLE x

Safe(n) == LET S[m \in 0..2] == \/ m = 0
                                \/ m > 0 /\ \E k \in 1..3 : k >= m /\ S[m - 1]
           IN  S[n]

Init == x = 0
Once == x = 0 /\ Safe(2) /\ x' = 1
Twice == x = 1 /\ (x > 0 \/ x < 2) /\ x' = 2
Thrice == x = 2 /\ (\E i \in {4, 5, 6} : i > x) /\ x' = 3
Quiet == x = 3 /\ (\A i \in {4, 5, 6} : i > x \/ i = x) /\ x' = 0
Next == Once \/ Twice \/ Thrice \/ Quiet
================================================================================
