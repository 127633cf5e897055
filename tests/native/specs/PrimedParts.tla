------------------------------- MODULE PrimedParts -------------------------------
(* A prime on a parameter reaches what the argument reads through other parameters and through operators. *)
EXTENDS Naturals, Sequences
VARIABLE y
Later(S) == S' = {y' + 1}
At1(f(_)) == f(1)
Plus(x) == y + x
Part(p) == Later({p + 1})
Chosen(p) == \E q \in {1} : Later({p + q})
Defined(p) == LET d == p + 1 IN Later({d})
Applied(f(_)) == Later({f(1)})
Local(f(_)) == LET g(x) == f(x) IN Later({g(1)})
Around(p) == LET g(x) == p + x IN Later({g(1)})
Arm(p) == Later(IF p > 10 THEN {} ELSE {p + 1})
PassedOn(p) == Part(p)
Primes(p) == LET g(S) == S' = {y' + 1} IN g({p + 1})
Each(p) == \A q \in {1} : (LET g(S) == S' = {y' + q} IN g({p + q}))
Do(f(_), a) == f(a)
DoPart(f(_), p) == f({p + 1})
Value(p) == Later({[i \in 1..2 |-> p + i][1]})
Field(p) == Later({[a |-> p + 1].a})
Item(p) == Later({<<p + 1>>[1]})
Same(S, T) == S' = T'
Both(p, q) == Same({p + 1}, {q + 1})
Only(S) == Later({CHOOSE e \in S : TRUE})
All ==
    /\ Part(y) /\ Chosen(y) /\ Defined(y) /\ Applied(Plus) /\ Local(Plus) /\ Around(y) /\ Arm(y) /\ PassedOn(y)
    /\ Primes(y) /\ Each(y) /\ Later({At1(Plus)}) /\ Later({At1(LAMBDA x : y + x)}) /\ Applied(LAMBDA x : y + x)
    /\ Do(Later, {y + 1}) /\ DoPart(Later, y) /\ Do(LAMBDA S : S' = {y' + 1}, {y + 1})
    /\ Value(y) /\ Field(y) /\ Item(y) /\ Both(y, y) /\ Only({y + 1})
    /\ (LET g(S) == S' = {y' + 1} IN g({At1(Plus)})) /\ (LET g(p) == Later({p + 1}) IN g(y))
    /\ (\E q \in {1} : LET g(p) == Later({p + q}) IN g(y)) /\ (LET z == y IN Later({z + 1}))
    /\ (LET z(i) == y + i IN Applied(z)) /\ (LET z == {y + 1} IN LET w == z IN Later(w))
Taken(S, T) == y' = (y + 1) % 5 /\ S' = T'
Take(p) == Taken({p + 1}, {p + 1}) /\ Later({p + 1})
Init == y = 0
Plain == y' = (y + 1) % 5
Always == [][All]_y
Never == [][~All]_y
Next == (y' = (y + 1) % 5 /\ All) \/ Take(y)
==================================================================================
