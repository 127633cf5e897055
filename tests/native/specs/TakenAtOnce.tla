----------------------------- MODULE TakenAtOnce -----------------------------
(* TLCEval, of numbers, sets, functions and conditions. *)
EXTENDS Integers, FiniteSets, TLC
VARIABLES x, f
Even == TLCEval({n \in 0..7 : n % 2 = 0})
Init == x = TLCEval(0) /\ f = TLCEval([n \in 0..1 |-> n])
Next == \/ TLCEval(x < 7) /\ x' = TLCEval(x + 1) /\ f' = f
        \/ \E n \in TLCEval(SUBSET {x} \ {{}}) : x' \in n /\ f' = [f EXCEPT ![0] = TLCEval(1 - @)]
        \/ x \in Even /\ x' = x /\ f' = TLCEval([n \in DOMAIN f |-> IF n = 0 THEN 1 - f[n] ELSE f[n]])
        \/ x' \in TLCEval({0, x}) /\ UNCHANGED f
TypeOK == f[1] = 1 /\ x \in TLCEval(0..7) /\ Cardinality(TLCEval(Even \cup {x})) <= 5
==============================================================================
