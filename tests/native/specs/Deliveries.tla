------------------------------ MODULE Deliveries ------------------------------
(* Some of the things on their way arrive: subsets of which something is said of each element. *)
EXTENDS Naturals, FiniteSets
VARIABLES sent, seen
Box(n, age) == [to |-> n, age |-> age]
Init == sent = {Box(1, 0), Box(2, 0)} /\ seen = {}
Send(n) == Cardinality(sent) < 4 /\ sent' = sent \cup {Box(n, 0)} /\ UNCHANGED seen
Age == (\A b \in sent : b.age < 2) /\ sent' = {Box(b.to, b.age + 1) : b \in sent} /\ seen' = {}
Deliver(n) ==
  \E some \in SUBSET sent :
    /\ \A b \in some : b.to = n
    /\ \A b \in some : b.age # 1
    /\ seen' = {b.age : b \in some}
    /\ sent' = sent \ some
Lose ==
  \E some \in SUBSET sent, n \in 1..2 : \* what is said of each speaks of n, too
    /\ \A b \in some : b.to = n
    /\ sent' = sent \ some /\ seen' = {}
Fall ==
  \E some \in SUBSET sent :
    /\ \A b \in some : b.to # 1
Two ==
  /\ \E some \in SUBSET seen, other \in SUBSET seen : (\A k \in some : k > 0) /\ (\A k \in other : k = 0) /\ some \cup other = seen
  /\ seen' \in SUBSET seen /\ UNCHANGED sent
Next == \/ \E n \in 1..3 : Send(n) \/ Deliver(n)
        \/ Age \/ Lose \/ Two
        \/ Fall /\ UNCHANGED <<sent, seen>>
Any == \E some \in SUBSET sent : (\A b \in some : b.age = 0) /\ (some = sent \/ seen # {} \/ sent # some)
==============================================================================
