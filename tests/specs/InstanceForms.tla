---- MODULE InstanceForms ----
EXTENDS Integers, FiniteSets
CONSTANTS Limit, Ids
VARIABLES cells, log
vars == <<cells, log>>
inc(n) == n + 1
At(i, top) == INSTANCE Cell WITH v <- cells[i], Top <- top, Step <- inc, Join <- +
---- MODULE Inner ----
VARIABLE seen
Note(e) == IF e \in seen THEN seen ELSE seen \cup {e}
Small == Cardinality(seen) <= Limit + 5
====
H(seen) == INSTANCE Inner
L == INSTANCE Inner WITH seen <- log
a \prec b == LET I == INSTANCE Cell WITH v <- a, Top <- b, Step <- LAMBDA n : n + 1, Join <- LAMBDA x, y : x - y
             IN  I!Sum(b) < 0
Total == LET RECURSIVE sum(_)
             sum(S) == IF S = {} THEN 0 ELSE LET i == CHOOSE j \in S : TRUE IN cells[i] + sum(S \ {i})
         IN sum(Ids)
Init == cells = [i \in Ids |-> 0] /\ log = {}
Move(i) == LET V == INSTANCE Cell WITH v <- cells[i], Top <- Limit, Step <- inc, Join <- *
           IN  /\ V!Ok
               /\ \E k \in {1, 2} : /\ cells[i] + k \prec Limit + 1
                                    /\ cells' = [cells EXCEPT ![i] = V!Climb(@, k)]
               /\ log' = H(log)!Note(Total)
Back(i) == /\ At(i, Limit)!Sum(1) = Limit + 1
           /\ cells' = [cells EXCEPT ![i] = 0]
           /\ UNCHANGED log
Next == \E i \in Ids : mv(i):: Move(i) \/ Back(i)
Spec == Init /\ [][Next]_vars
AllOk == \A i \in Ids : At(i, Limit)!Ok
Parts == /\ AllOk
         /\ named:: L!Small
         /\ Total <= Limit * Cardinality(Ids)
Second == Parts!named /\ Parts!3 /\ Parts!3!2 = 6
Refines == \A i \in Ids : At(i, Limit)!Spec
OneAtATime == [][\E i \in Ids : \A j \in Ids \ {i} : cells'[j] = cells[j]]_cells
====
