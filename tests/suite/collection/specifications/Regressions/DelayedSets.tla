---- MODULE DelayedSets ----
\* Sets that are not built before they have to be, definitions that keep their value, temporaries inside loops.
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES log, round, seen

Nodes == {"a", "b"}
Entry == [from: Nodes, number: Nat]

\* state functions without parameters that are used inside loops, also of the next state
Numbers == {log[n][i].number : n \in Nodes, i \in 1..2} \cup {round}
Last == [n \in Nodes |-> IF log[n] = <<>> THEN 0 ELSE log[n][Len(log[n])].number]
Logged == UNION {{<<n, log[n][i].number>> : i \in DOMAIN log[n]} : n \in Nodes}

\* filtered sets that are looked at element by element
Covers == \E R \in {Q \in SUBSET (0..6) : Cardinality(Q) = 2 /\ \A q \in Q : q <= 6} : \A e \in Logged : e[2] \in R
Related == \A x, y \in {p \in SUBSET Logged : Cardinality(p) <= 1} : x \cap y = {} \/ x = y

Init == log = [n \in Nodes |-> <<>>] /\ round = 0 /\ seen = {}

Write(n) ==
    /\ Len(log[n]) < 2
    /\ log' = [log EXCEPT ![n] = Append(@, [from |-> n, number |-> round])]
    /\ UNCHANGED round
    /\ seen' \in {s \in SUBSET Logged' : seen \subseteq s /\ Cardinality(s) = Cardinality(Logged') - 1}

Advance ==
    /\ round < 4
    /\ round' \in {k \in 0..6 : k \in {0, 2, 6} /\ k > round}
    /\ \E f \in {g \in [Nodes -> 0..1] : g["a"] # g["b"]} : seen' = {e \in seen : f[e[1]] = 0}
    /\ UNCHANGED log

Update ==
    /\ \E n \in Nodes : log[n] # <<>>
    /\ log' = [n \in Nodes |-> [i \in DOMAIN log[n] |-> [log[n][i] EXCEPT !.number = IF @ > 0 THEN @ - 1 ELSE @]]]
    /\ \A n \in Nodes, i \in 1..2 : i <= Len(log'[n]) => log'[n][i].number \in 0..6
    /\ UNCHANGED <<round, seen>>

Next == \/ \E n \in Nodes : Write(n)
        \/ Advance
        \/ Update

TypeOK ==
    /\ \A n \in Nodes : log[n] \in Seq(Entry)
    /\ {n \in Nodes : [log EXCEPT ![n] = <<>>][n] \in Seq({[e EXCEPT !.number = 7] : e \in {[from |-> n, number |-> 1]}})} = Nodes
    /\ seen \subseteq Nodes \X Nat
    /\ \A n \in Nodes : Last[n] <= 6
Inv == Related /\ (Cardinality({e[2] : e \in Logged}) <= 2 => Covers)
====
