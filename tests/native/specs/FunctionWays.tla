----------------------------- MODULE FunctionWays -----------------------------
(* Every way through a guard counts as a step, also through functions, recursive ones, and those inside of others. *)
EXTENDS Naturals
VARIABLES x, y
Seen == [n \in 0..4 |-> n = y \/ n = x \/ n > 2]
Near(limit) ==
  LET Reach[n \in 0..4] ==
        \/ n = 0
        \/ n > limit
        \/ \E m \in 0..3 : /\ m < n
                           /\ (m # 0) => /\ Reach[m]
                                         /\ \A k \in 1..2 : k <= m => Reach[m] \/ x = k
                           /\ IF m = 1 THEN Reach[0] /\ y \in {0, 1} ELSE x < 4
                           /\ (y > 1) => Reach[m] = TRUE
      Inside[n \in 1..2] == Reach[n] \/ y = n
      Pairs[n \in 0..4, m \in 0..1] == n = m \/ m = 0
  IN Reach[x] /\ \A n \in 1..2 : Inside[n] /\ Pairs[x, 0]
Listed[n \in 0..4] == n = 0 \/ n % 2 = 0 \/ n = 2
Unlisted[<<a, b>> \in (0..4) \X (0..4)] == a = b \/ a >= b \/ a = 3
Down[n \in 0..4] == n = 0 \/ n = 1 \/ n > 3 \/ (n > 0 /\ Down[n - 1])
All[n \in 0..4] == n = 0 \/ n = 1 \/ (\A m \in {n - 1} : n > 1 /\ All[m]) \/ y = 9
Far == Seen[x] /\ [n \in 0..4 |-> n # 1 \/ n # 2][y]
Both(a) == \A n \in 0..1, m \in {a} : n = 0 \/ m = x \/ x > 2
Each == \A k \in 1..2 : LET R[n \in 0..4] == n = k \/ n = 0 \/ n < 2 \/ (n > 1 /\ R[n - 2]) IN R[x]
Init == x = 0 /\ y = 0
Step == Near(3) /\ x' = (x + 1) % 5 /\ y' = y
Turn == Far /\ y' = (y + 1) % 3 /\ x' = x
Same == Both(1) /\ y' = 0 /\ x' = x
Once == Listed[x] /\ UNCHANGED <<x, y>>
Pair == Unlisted[<<x, y>>] /\ UNCHANGED <<x, y>>
Walk == Down[x] /\ All[x] /\ UNCHANGED <<x, y>>
Apart == Each /\ UNCHANGED <<x, y>>
Next == Step \/ Turn \/ Same \/ Once \/ Pair \/ Walk \/ Apart
TypeOK == x \in 0..4 /\ y \in 0..2
==============================================================================
