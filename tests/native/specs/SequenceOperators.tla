-------------------------- MODULE SequenceOperators --------------------------
(* Every operator of Sequences on sequences of numbers. *)
EXTENDS Sequences, Naturals
VARIABLES q, r
TypeOK == q \in Seq(0..2) /\ Len(q) <= 4 /\ r \in Seq(0..2) /\ Len(r) <= 4
Small(n) == n < 2
Init == q = <<>> /\ r = <<2, 0>>
Push == \E n \in 0..2 : Len(q) < 3 /\ q' = Append(q, n) /\ UNCHANGED r
Pop == q # <<>> /\ r' = <<Head(q)>> \o SubSeq(r, 2, Len(r)) /\ q' = Tail(q)
Select == q' = SelectSeq(q, Small) /\ q' # q /\ UNCHANGED r
Cut == Len(q) > 1 /\ q' = SubSeq(q, 2, Len(q) - 1) /\ UNCHANGED r
Join == Len(q) + Len(r) <= 4 /\ q' = q \o r /\ r' = <<>> /\ r # <<>>
Change == \E i \in DOMAIN q : q' = [q EXCEPT ![i] = (@ + 1) % 3] /\ UNCHANGED r
Next == Push \/ Pop \/ Select \/ Cut \/ Join \/ Change
Law == q # <<>> => q = <<Head(q)>> \o Tail(q)
==============================================================================
