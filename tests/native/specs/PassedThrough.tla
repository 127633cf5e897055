---------------------------- MODULE PassedThrough ----------------------------
(* Operators that look behind the values of their arguments by way of an operator that they pass on, or of a name that
   one which they pass captures. *)
EXTENDS Naturals
VARIABLES x, y

Of(F(_), e) == F(e)
Both(F(_), G(_), a, b) == F(a) /\ G(b)
Next4(e) == e' = (e + 1) % 4
Same(e) == UNCHANGED e
Captured(v) == LET Put(e) == v' = (v + e) % 4 IN Of(Put, 1)
Deeper(v) == LET Put(e) == LET Inner(f) == v' = f IN Inner((v + e) % 4) IN Of(Put, 2)
Passed(v) == Of(Next4, v)
PassedTwice(v) == Of(Passed, v)
ByLambda(v, e) == Of(LAMBDA f : v' = (f + v) % 4, e)
RECURSIVE Often(_, _)
Often(F(_), n) == IF n = 0 THEN F(y) ELSE LET Again(m) == Often(F, m) IN Of(Again, n - 1)

One == Of(Captured, x) /\ Of(Same, y)
Two == Of(Deeper, y) /\ Of(Same, x) /\ x = 2
Three == Both(Passed, Same, x, y)
Four == Of(PassedTwice, y) /\ x = 3 /\ UNCHANGED x
Five == (LET Set(e) == ByLambda(x, e) IN Of(Set, 3)) /\ Of(Next4, y) /\ y > 1

Init == x = 0 /\ y = 0
TypeOK == x \in 0..3 /\ y \in 0..3
Next == One \/ Two \/ Three \/ Four \/ Five
Turns == [][Of(Captured, x) \/ Of(LAMBDA e : Of(Same, e), x) \/ Of(Passed, y)]_<<x, y>>
Stays == [][Often(Same, 2) \/ Of(LAMBDA e : Of(Passed, e), y)]_<<x, y>>
==============================================================================
