------------------------------- MODULE Channels -------------------------------
(* A constant says how messages lie, a sequence for each receiver or a set: CASE takes one arm for all states, and the
   variable has one type. Besides: an operator of LET passed to a fold by its name, folds over places, what the
   environment says inside of an action with an argument, and a constant that prints. *)
EXTENDS Naturals, Sequences, SequencesExt, FiniteSets, TLC, IOUtils
CONSTANTS Kind, Ordered, Unordered
VARIABLES sent, log

Nodes == IF "A_NAME_THAT_NOBODY_SETS" \in DOMAIN IOEnv THEN Print("more", {"a", "b", "c"}) ELSE Print("few", {"a", "b"})
Larger(a, b) == IF a > b THEN a ELSE b

NoMessages == CASE Kind = Ordered -> [n \in Nodes |-> << >>] [] Kind = Unordered -> {}
With(m, messages) ==
  CASE Kind = Unordered -> messages \cup {m}
    [] Kind = Ordered -> [messages EXCEPT ![m.to] = Append(@, m)]
Without(m, messages) ==
  CASE Kind = Unordered -> messages \ {m}
    [] Kind = Ordered -> [messages EXCEPT ![m.to] = Tail(@)]
    [] OTHER -> messages
Next1(n) ==
  CASE Kind = Ordered -> IF sent[n] = << >> THEN {} ELSE {Head(sent[n])}
    [] OTHER -> {m \in sent : m.to = n}

Init == sent = NoMessages /\ log = [n \in Nodes |-> << >>]
Send(n) == /\ IF "ANOTHER_NAME_THAT_NOBODY_SETS" \in DOMAIN IOEnv THEN n # "a" ELSE Len(log[n]) < 2
           /\ \E term \in 1..2 :
                LET m == [to |-> n, term |-> term]
                IN CASE Kind = Ordered -> Len(sent[n]) < 2 /\ sent' = With(m, sent)
                     [] Kind = Unordered -> sent' = With(m, sent)
           /\ UNCHANGED log
Receive(n) == \E m \in Next1(n) : sent' = Without(m, sent) /\ log' = [log EXCEPT ![n] = Append(@, [term |-> m.term])]
Next == \E n \in Nodes : Send(n) \/ (Len(log[n]) < 2 /\ Receive(n))

Highest(n) == LET Term(entry, found) == IF entry.term = 2 THEN Larger(entry.term, found) ELSE found
              IN FoldSeq(Term, 0, log[n])
LastPlace(n) == FoldLeftDomain(LAMBDA found, i : IF log[n][i].term = 2 THEN {i} ELSE found, {}, log[n])
FirstPlace(n) == FoldRightDomain(LAMBDA i, found : IF log[n][i].term = 2 THEN {i} ELSE found, log[n], {})
Same == \A n \in Nodes : /\ (Highest(n) = 2) = (LastPlace(n) # {})
                         /\ Cardinality(FirstPlace(n) \cup LastPlace(n)) <= Len(log[n])
==============================================================================
