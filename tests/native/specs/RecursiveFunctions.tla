------------------------- MODULE RecursiveFunctions -------------------------
(* Functions defined by recursion on numbers and on sets. *)
EXTENDS Naturals, FiniteSets
VARIABLE n
Fib[k \in 0..8] == IF k < 2 THEN k ELSE Fib[k - 1] + Fib[k - 2]
Size[t \in SUBSET (1..3)] == IF t = {} THEN 0 ELSE 1 + Size[t \ {CHOOSE e \in t : TRUE}]
Init == n = 0
Next == n' \in {Fib[n % 9] % 9, (n + 1) % 9} /\ n' # n
Right == Fib[n] <= 21 /\ Size[{k \in 1..3 : k <= n}] = IF n > 3 THEN 3 ELSE n
TypeOK == n \in 0..8
==============================================================================
