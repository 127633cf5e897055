----------------------------- MODULE SamePrefix -----------------------------
(* Records of two kinds whose field names begin alike: sets of them have one form each. *)
EXTENDS Naturals, Sequences
VARIABLES s, q
A == [message_a : 1..3, log : Seq(1..40)]
B == [message_b : 1..3, log : Seq(1..40)]
Init == s = {} /\ q = <<>>
First(n) == [message_a |-> n, log |-> <<n>>]
Second(n) == [message_b |-> n, log |-> <<n>>]
Left == \E n \in 1..3 : First(n) \notin s /\ s' = s \cup {First(n)} /\ UNCHANGED q
Right == \E n \in 1..3 : Second(n) \notin s /\ s' = s \cup {Second(n)} /\ UNCHANGED q
Note == Len(q) < 1 /\ \E m \in s : q' = Append(q, m.log[1]) /\ UNCHANGED s
Next == Left \/ Right \/ Note
==============================================================================
