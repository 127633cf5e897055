------------------------------ MODULE SortedSets ------------------------------
(* Sets as sequences, in the order of their elements or in one of the model's. *)
EXTENDS Integers, Sequences, SequencesExt, TLC
CONSTANTS a, b
VARIABLES n, s, q, t, listed

Names == {"b", "a"} \cup {a, b}
Pairs == {[to |-> {1, 3}, at |-> 2], [to |-> {}, at |-> 7], [to |-> {2}, at |-> 2], [to |-> {1}, at |-> -1]}
Words == {<<>>, <<2>>, <<1, 2>>, <<0, 9>>, <<1>>}

Init == n = 0 /\ s = {} /\ q = <<>> /\ t = {} /\ listed = <<>>

Numbers == \E i \in -2..2 : i \notin s /\ s' = s \cup {i} /\ q' = SetToSeq(s) /\ UNCHANGED <<n, t, listed>>
Words1 == \E w \in Words : t' = t \cup {w} /\ t' # t /\ listed' = SetToSeq(t') /\ UNCHANGED <<n, s, q>>
(* What `less` is asked shows, as it is no order: of equal ones the later comes first. *)
Sort == /\ Len(listed) = 4
        /\ listed' = SortSeq(listed, LAMBDA v, w : Len(v) >= Len(w))
        /\ UNCHANGED <<n, s, q, t>>
Down == Len(q) = 3 /\ q' = SetToSortSeq(s, LAMBDA i, j : i * i > j * j) /\ UNCHANGED <<n, s, t, listed>>
Constants == /\ n = 0 /\ n' = Len(SetToSeq(Pairs)) + Len(SetToSeq(Names)) * 10
             /\ q' = [i \in 1..4 |-> SetToSeq(Pairs)[i].at]
             /\ UNCHANGED <<s, t, listed>>
Next == Numbers \/ Words1 \/ Sort \/ Down \/ Constants

Ordered == \A i, j \in DOMAIN listed : i < j => listed[i] # listed[j]
===============================================================================
