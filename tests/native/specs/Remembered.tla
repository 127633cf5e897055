---- MODULE Remembered ----
\* What operators say of a state, with and without parameters, asked of both states of a step and where it may fail.
EXTENDS Integers, Sequences, FiniteSets
CONSTANT Nodes
VARIABLES queue, sum, last

Longest == CHOOSE n \in Nodes : \A m \in Nodes : Len(queue[m]) <= Len(queue[n])
Total == Cardinality({at \in Nodes \X (1..3) : at[2] <= Len(queue[at[1]])})
Holds(n, v) == \E i \in 1..Len(queue[n]) : queue[n][i] = v
Least(n) == CHOOSE v \in 0..2 : Holds(n, v) /\ \A w \in 0..2 : Holds(n, w) => v <= w
Firsts == {<<n, Head(queue[n])>> : n \in Nodes}
Different(n) == Cardinality({queue[n][i] : i \in 1..Len(queue[n])})

Init == queue = [n \in Nodes |-> <<>>] /\ sum = 0 /\ last = 0

Put(n, v) == /\ Total < 3 /\ ~Holds(n, v)
             /\ queue' = [queue EXCEPT ![n] = Append(@, v)] /\ sum' = (sum + Total' - Total) % 4
             /\ last' = IF Holds(n, v)' THEN Different(n)' ELSE 9
Take(n) == /\ queue[n] # <<>> /\ Len(queue[Longest]) = Len(queue[n])
           /\ queue' = [queue EXCEPT ![n] = Tail(@)] /\ sum' = sum /\ last' = Least(n)
Next == \E n \in Nodes : Take(n) \/ \E v \in 0..2 : Put(n, v)
Spec == Init /\ [][Next]_<<queue, sum, last>>

Counted == Total = Total /\ (\A n \in Nodes : Different(n) <= 3) /\ last # 9
WhereThereIsOne == (\A n \in Nodes : queue[n] # <<>>) => Cardinality(Firsts) = Cardinality(Nodes) /\ \A n \in Nodes : Least(n) <= 2
OrNot == Total < 2 \/ (\E n \in Nodes : Holds(n, 0) \/ Holds(n, 1) \/ Holds(n, 2))
OneAtATime == [][Total' = Total + 1 \/ Total' = Total - 1]_queue
Moves == [][\A n \in Nodes : Holds(n, 0)' # Holds(n, 0) => Different(n)' # Different(n)]_queue
====
