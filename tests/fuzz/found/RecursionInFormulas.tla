---- MODULE RecursionInFormulas ----
(* What a recursive definition is applied to inside a formula, or a set of truth values, was not among the values that
   machine code expected of its parameter: it failed, and Python took over with a word about it. *)
EXTENDS Integers
VARIABLE x

RECURSIVE A(_), B(_), C(_), D(_), E(_)
A(n) == IF n <= 0 THEN TRUE ELSE \A h \in {1, 2} : A(n - 1)
B(n) == IF n <= 0 THEN TRUE ELSE TRUE \in {B(n - 1) : h \in {1, 2}}
C(n) == n <= 0 \/ C(n - 1)
D(n) == IF n <= 0 THEN {1} ELSE {h \in {1, 2} : 1 \in D(n - 1)}
E(n) == IF n <= 0 THEN 0 ELSE CHOOSE h \in {0, 1} : h = E(n - 1)

Init == x = 2
Next == x' = 5 - x
Reached == A(x) /\ B(x) /\ C(x) /\ D(x) = {1, 2} /\ E(x) = 0
====
