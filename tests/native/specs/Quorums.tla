------------------------------- MODULE Quorums -------------------------------
(* Quorums as sets of sets; ballots and votes as sets of tuples. *)
EXTENDS Naturals, FiniteSets
VARIABLES votes, chosen
A == {"u", "v", "w"}
Quorum == {q \in SUBSET A : 2 * Cardinality(q) > Cardinality(A)}
TypeOK == votes \subseteq A \X (0..1) /\ chosen \subseteq 0..1
Init == votes = {} /\ chosen = {}
Vote(a, n) == (\A m \in 0..1 : <<a, m>> \notin votes) /\ votes' = votes \cup {<<a, n>>} /\ UNCHANGED chosen
Choose(n) ==
  /\ n \notin chosen /\ \E q \in Quorum : \A a \in q : <<a, n>> \in votes
  /\ chosen' = chosen \cup {n} /\ UNCHANGED votes
Next == \E n \in 0..1 : Choose(n) \/ \E a \in A : Vote(a, n)
One == Cardinality(chosen) <= 1
Meet == \A p, q \in Quorum : p \cap q # {}
==============================================================================
