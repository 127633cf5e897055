------------------------------ MODULE Counter ------------------------------
(* Processes count together. What TLC says of each way in which that can go wrong is recorded beside this file. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANT Process
VARIABLES count, box, own
vars == <<count, box, own>>

Init == count = 0 /\ box = [name |-> "abc", items |-> <<1, 2>>] /\ own = [p \in Process |-> 0]
Step(p) == count < 3 /\ count' = count + 1 /\ own' = [own EXCEPT ![p] = @ + 1] /\ UNCHANGED box
Next == \E p \in Process : Step(p)
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(Next)

Round == count' = (count + 1) % 3 /\ UNCHANGED <<box, own>>
RoundSpec == Init /\ [][Round]_vars /\ WF_vars(Round)
Rest == \/ count < 3 /\ count' = count + 1 /\ UNCHANGED <<box, own>>
        \/ UNCHANGED vars
RestSpec == Init /\ [][Rest]_vars
LongBox == count < 2 /\ count' = count + 1 /\ UNCHANGED own
           /\ box' = [box EXCEPT !.items = [n \in 1..30 |-> {"a longer string", "another string of some length"}]]
WideInit == /\ count = 0
            /\ box = [first |-> [n \in 1..12 |-> [left |-> n, right |-> <<n, "some text that is not short", n * n>>]],
                      second |-> {SUBSET {1, 2, 3, 4, 5}, {}}]
            /\ own = [s \in {{1, 2, 3}, {4, 5}, {}} |-> [p \in Process |-> <<p, s, "and a text that makes the line long">>]]
WideSpec == WideInit /\ [][Round]_vars

Symmetry == Permutations(Process)
TypeOK == count \in Nat
Low == count < 2
Lowest == count < 1
StaysLow == [][count' < 3]_count
StartsAtOne == count = 1
Once == <>(count = 5)
Again == []<>(count = 0)
Both == Again /\ <>(count = 2)
Reached == \A n \in {4, 5} : <>(count = n)
NoValue == count < 3 \/ own["nobody"] = 1
NoValueAtFirst == own["nobody"] = 1
FewSteps == count < 2
View == count
Alias == [twice |-> 2 * count, next |-> count']
Posted == TRUE
NotPosted == TLCGet("distinct") = 7
ViewOfTwo == <<box, count>>
=============================================================================
