------------------------------ MODULE Recursion ------------------------------
(* RECURSIVE operators over sets, numbers and sequences. *)
EXTENDS Naturals, FiniteSets, Sequences
VARIABLES s, q
RECURSIVE SumOf(_), Fact(_), Reverse(_)
SumOf(t) == IF t = {} THEN 0 ELSE LET e == CHOOSE e \in t : TRUE IN e + SumOf(t \ {e})
Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)
Reverse(p) == IF p = <<>> THEN <<>> ELSE Append(Reverse(Tail(p)), Head(p))
Init == s = {} /\ q = <<>>
Add == \E e \in 1..4 : SumOf(s \cup {e}) <= 6 /\ s' = s \cup {e} /\ q' = IF Len(q) < 3 THEN Append(q, e) ELSE q
Turn == q' = Reverse(q) /\ UNCHANGED s
Clear == SumOf(s) >= Fact(3) /\ s' = {} /\ UNCHANGED q
Next == Add \/ Turn \/ Clear
TypeOK == s \subseteq 1..4 /\ q \in Seq(1..4) /\ Len(q) <= 3
Law == Reverse(Reverse(q)) = q /\ SumOf(s) <= 6
==============================================================================
