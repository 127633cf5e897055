-------------------------------- MODULE Lets --------------------------------
(* LET of values, operators and functions, nested, in guards and in next values. *)
EXTENDS Naturals, FiniteSets
VARIABLES x, f
Init == x = 1 /\ f = [n \in 1..3 |-> n]
Next ==
  LET top == CHOOSE n \in 1..3 : \A m \in 1..3 : f[n] >= f[m]
      Bump(g, n) == [g EXCEPT ![n] = (@ + x) % 4]
      twice == LET once == Bump(f, top) IN Bump(once, 1)
  IN \/ x' = (x + 1) % 3 /\ f' = Bump(f, x + 1)
     \/ f' = twice /\ UNCHANGED x
     \/ LET d[n \in 0..3] == IF n = 0 THEN 0 ELSE d[n - 1] + n IN x' = d[x] % 3 /\ UNCHANGED f
Sum == LET add[n \in 0..3] == IF n = 0 THEN 0 ELSE f[n] + add[n - 1] IN add[3]
TypeOK == x \in 0..2 /\ f \in [1..3 -> 0..3]
Small == Sum <= 9 /\ Cardinality({f[n] : n \in 1..3}) <= 3
==============================================================================
