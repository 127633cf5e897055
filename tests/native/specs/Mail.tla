-------------------------------- MODULE Mail --------------------------------
(* Requests and answers between nodes, in a function from each message that is on its way to how often it is. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Node, Terms, Copies
VARIABLES mail, term, log, seen
vars == <<mail, term, log, seen>>

Empty == [m \in {} |-> 0]
With(m, bag) == IF m \in DOMAIN bag THEN [bag EXCEPT ![m] = @ + 1] ELSE bag @@ (m :> 1)
Without(m, bag) ==
    IF m \notin DOMAIN bag THEN bag
    ELSE IF bag[m] = 1 THEN [n \in DOMAIN bag \ {m} |-> bag[n]] ELSE [bag EXCEPT ![m] = bag[m] - 1]

Init == mail = Empty /\ term = [n \in Node |-> 0] /\ log = [n \in Node |-> <<>>] /\ seen = {}

Raise(n) ==
    /\ term[n] < Terms
    /\ term' = [term EXCEPT ![n] = @ + 1]
    /\ log' = [log EXCEPT ![n] = Append(@, term'[n])]
    /\ UNCHANGED <<mail, seen>>

Ask(n, to) ==
    /\ n # to /\ term[n] > 0
    /\ mail' = With([kind |-> "ask", from |-> n, to |-> to, term |-> term[n], log |-> log[n]], mail)
    /\ UNCHANGED <<term, log, seen>>

Answer(m) ==
    /\ m.kind = "ask"
    /\ mail' = Without(m, With([kind |-> "answer", from |-> m.to, to |-> m.from, ok |-> m.term >= term[m.to]], mail))
    /\ log' = [log EXCEPT ![m.to] = IF m.term >= term[m.to] THEN m.log ELSE @]
    /\ UNCHANGED <<term, seen>>

Take(m) ==
    /\ m.kind = "answer"
    /\ mail' = Without(m, mail)
    /\ seen' = seen \cup {mail}
    /\ UNCHANGED <<term, log>>

Lose(m) == mail' = Without(m, mail) /\ UNCHANGED <<term, log, seen>>

Next ==
    \/ \E n \in Node : Raise(n) \/ \E to \in Node : Ask(n, to)
    \/ \E m \in DOMAIN mail : Answer(m) \/ Take(m) \/ Lose(m)

Few ==
    /\ \A m \in DOMAIN mail : mail[m] <= Copies
    /\ Cardinality(DOMAIN mail) <= 2
    /\ Cardinality(seen) <= 1
Alike == Permutations(Node)
Shown == <<mail, term, Cardinality(seen)>>
Counted == \A m \in DOMAIN mail : mail[m] \in 1 .. Copies + 1
NoneTwice == \A m \in DOMAIN mail : mail[m] = 1
Known == mail[[kind |-> "ask", from |-> CHOOSE n \in Node : TRUE]] = 1
NoneKept == \A kept \in seen : kept = mail \/ DOMAIN kept \cap DOMAIN mail # {} \/ kept @@ mail # mail
FirstAsked == mail = Empty \/ (CHOOSE m \in DOMAIN mail : TRUE).kind \in {"ask", "answer"}
=============================================================================
