---- MODULE Cell ----
EXTENDS Naturals
CONSTANTS Top, Step(_), Join(_, _)
VARIABLE v
LOCAL INSTANCE Sequences
RECURSIVE Climb(_, _)
Climb(n, k) == IF k = 0 THEN n ELSE Climb(Step(n), k - 1)
Init == v = 0
Up == v < Top /\ v' = Climb(v, 1)
Twice == v + 1 < Top /\ v' = Climb(v, 2)
Reset == v = Top /\ v' = 0 * Len(<<v>>)
Next == Up \/ Twice \/ Reset
Ok == v \in 0..Top
Sum(other) == Join(v, other)
Spec == Init /\ [][Next]_v
====
