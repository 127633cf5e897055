---- MODULE ArgumentIsNotAsked ----
EXTENDS Integers
\* An argument that has no value, passed on by an operator to one that does not look at it.
VARIABLES x, y
None(T) == y'
Through(F(_), T) == F(T)
By(T) == Through(None, [q \in ({1} \cup {T}) |-> q][T])
Init == x \in {1} /\ y = FALSE
Next == x' = x /\ y' = TRUE
P == [][By(CHOOSE T \in {1} : T # x)]_<<x, y>>
====
