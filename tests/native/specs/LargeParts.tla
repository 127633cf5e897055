---- MODULE LargeParts ----
\* Structures that are too large to be copied: built in place, pointed at, changed in a part, and without a value.
EXTENDS Integers, Sequences, FiniteSets

VARIABLES logs, seen, turn

Node == 1..2
Entry == [term : 1..2, note : SUBSET {1, 2}]
Empty == [n \in Node |-> <<>>]

Perms(S) ==
    LET perms[T \in SUBSET S] ==
            IF T = {} THEN {<<>>} ELSE UNION {{Append(p, x) : p \in perms[T \ {x}]} : x \in T}
    IN perms[S]

Init == logs = Empty /\ seen = {} /\ turn = 0

Add(n, e) ==
    /\ Len(logs[n]) < 2
    /\ logs' = [logs EXCEPT ![n] = Append(@, e)]
    /\ seen' = seen \cup {logs[n]}

\* What the two are called is where they lie, and both are read after one has changed.
Swap ==
    LET one == logs[1]
        other == logs[2]
    IN /\ one # other
       /\ logs' = [[logs EXCEPT ![1] = other] EXCEPT ![2] = one]
       /\ seen' = seen \cup {SubSeq(one \o other, 1, 1)}

Shift(n) ==
    /\ logs[n] # <<>>
    /\ LET rest == Tail(logs[n])
           whole == IF rest = <<>> THEN logs[3 - n] ELSE Append(rest, Head(logs[n]))
       IN logs' = [logs EXCEPT ![n] = whole, ![3 - n] = CASE turn = 1 -> rest [] turn = 2 -> @ [] OTHER -> whole]
    /\ UNCHANGED seen

Next ==
    /\ turn' = (turn + 1) % 3
    /\ \/ \E n \in Node, e \in Entry : Cardinality(e.note) = turn /\ Add(n, e)
       \/ Swap
       \/ \E n \in Node : Shift(n)

Few == Cardinality(seen) < 3

\* Where a log is empty, the first has no value, and nobody asks for it.
Firsts ==
    \A n \in Node :
        LET first == Head(logs[n])
            notes == first.note \ {1}
        IN logs[n] = <<>> \/ (first.term \in 1..2 /\ notes \in SUBSET {2})

Ordered ==
    LET all == Perms(seen)
    IN /\ Cardinality(all) = (CASE Cardinality(seen) < 2 -> 1 [] Cardinality(seen) = 2 -> 2 [] OTHER -> Cardinality(all))
       /\ \A p \in all : {p[i] : i \in DOMAIN p} = seen
       /\ \E p \in all : seen # {} => Head(p) = (CHOOSE s \in seen : \A t \in seen : Len(s) <= Len(t) \/ s = t)
====
