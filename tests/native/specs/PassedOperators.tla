--------------------------- MODULE PassedOperators ---------------------------
(* Operators that look behind the values of their arguments, passed to operators: TLC has 20 states. *)
EXTENDS Naturals
VARIABLES x, y

Of(F(_), e) == F(e)
Do(F(_, _), v, e) == F(v, e)
DoMore(F(_, _), v, e) == Do(F, v, e + 1)
Set(v, e) == v' = e
Same(e) == UNCHANGED e
Later(e) == e'
Can(e) == ENABLED e
RECURSIVE Often(_, _)
Often(F(_), n) == IF n = 0 THEN F(x) ELSE F(x) /\ Often(F, n - 1)

Turn == Do(Set, x, (x + 1) % 3) /\ Of(UNCHANGED, y)
Add == (LET Put(v, e) == Set(v, e) IN Put(y, (y + x) % 4)) /\ Often(Same, 2)
Up == DoMore(Set, x, x % 4) /\ x < 4 /\ Of(LAMBDA e : e' = y, y)

Init == x = 0 /\ y = 0
TypeOK == x \in 0..4 /\ y \in 0..3
Next == Turn \/ Add \/ Up
vars == <<x, y>>

MovesOne == [][Of(Same, y) \/ Of(UNCHANGED, x)]_vars
Sums == [][Of(LAMBDA e : e', x + y) = x' + y' /\ Of(', x) = x' /\ Of(Later, y) = Of(LAMBDA e : Later(e), y)]_vars
Ways == [][Of(ENABLED, Up) = (x < 4) /\ Of(Can, Up) = (x < 4) /\ (LET May(e) == ENABLED e IN May(Up)) = (x < 4)]_vars
==============================================================================
