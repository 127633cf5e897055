----------------------------- MODULE HigherOrder -----------------------------
(* Operators as arguments, LAMBDA, infix operators of our own. *)
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES s, x
Map(Op(_), t) == {Op(e) : e \in t}
Twice(Op(_), e) == Op(Op(e))
Inc(e) == (e + 1) % 5
a \oplus b == (a + b) % 5
All(t, P(_)) == \A e \in t : P(e)
Init == s = {0} /\ x = 0
Shift == s' = Map(Inc, s) /\ x' = Twice(Inc, x)
Grow == Cardinality(s) < 3 /\ s' = s \cup Map(LAMBDA e : e \oplus x, s) /\ x' = x \oplus 1
Next == Shift \/ Grow
TypeOK == s \subseteq 0..4 /\ x \in 0..4
Holds == All(s, LAMBDA e : e < 5) /\ Twice(LAMBDA e : e + e, 1) = 4
==============================================================================
