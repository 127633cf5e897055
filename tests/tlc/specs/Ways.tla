-------------------------------- MODULE Ways --------------------------------
(* A next-state relation with disjuncts of every kind, and formulas without a value. *)
EXTENDS Naturals, Sequences, TLC
VARIABLES x, y
Init == x \in {0, 1} /\ y = 0
Up == x < 3 /\ x' = x + 1 /\ y' = y
Down == \/ x = 2 /\ x' = 0 /\ UNCHANGED y
        \/ x = 3 /\ y' = "z" + 1 /\ x' = x
By(n, m) == /\ x + n < 4
            /\ x' = x + n
            /\ y' = m
Local == LET far == 2 IN \/ By(far, 1)
                         \/ (x = 3 /\ x' = 0 /\ y' = 2)
Wrong == Up \/ Down \/ (x = 3 /\ x' = 3 /\ y' = y)
Stays == Up \/ (x = 3 /\ x' = 3 /\ y' = y)
Ends == Up \/ (x = 3 /\ UNCHANGED <<x, y>>)
Many == \/ \E n \in 1..2, m \in {0, 7} : By(n, m)
        \/ \E n \in 0..x : x' = n /\ y' = 9
        \/ Local
        \/ IF x = 0 THEN x' = 1 /\ y' = 3 ELSE x' = 0 /\ y' = 4
Prints == Up /\ PrintT(<<"hello", x>>)
Asserts == Up /\ Assert(x < 2, "too big")
Incomplete == x' = x
NoBoolean == x
Spec == Init /\ [][Wrong]_<<x, y>>
Unnamed == x = 0 /\ y = 0 /\ [][x < 2 /\ x' = x + 1 /\ y' = y]_<<x, y>>
NotOne == x # 1
Small == x < 3
Smaller == x < 2
NotNine == y # 9
NotFour == y # 4
NotTwo == y # 2
NotSeven == y # 7
=============================================================================
