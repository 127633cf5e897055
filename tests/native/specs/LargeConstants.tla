--------------------------- MODULE LargeConstants ---------------------------
(* Constant sets of which nobody knows how large they are: chosen from, gone through, asked. *)
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES word, triple
OfLength(S, n) == IF n = 0 THEN {<<>>} ELSE [0..(n - 1) -> S]
Words == UNION {OfLength({0, 6}, n) : n \in {4, 2, 0, 1, 2}}
Triples == {<<a, b, (a * b) % 13>> : a \in 0..13, b \in 0..13} \cup {<<0, 20, a>> : a \in 5..7}
Bad == UNION {{<<a, b, 7 \div a>> : b \in 0..20} : a \in 0..20}
Length(w) == IF w = <<>> THEN 0 ELSE Cardinality(DOMAIN w)
Init == word \in Words /\ triple = <<0, 0, 0>>
Turn == /\ Length(word) < 4
        /\ \E next \in Triples : next[1] = triple[1] + 5 /\ next[2] > 9 /\ triple' = next
        /\ UNCHANGED word
Grow == /\ triple[1] = 5
        /\ word' \in {w \in Words : Length(w) = Length(word) + 1 /\ \A i \in DOMAIN word : w[i] = word[i]}
        /\ UNCHANGED triple
Back == triple[1] > 9 /\ triple' = <<0, 20, 6>> /\ triple' \in Triples /\ word' = <<>>
Again == triple[2] = 20 /\ triple' = <<0, 0, 0>> /\ UNCHANGED word
Next == Turn \/ Grow \/ Back \/ Again
Met == /\ word \in Words /\ triple \in Triples
       /\ <<5, 20, 7>> \notin Triples /\ [i \in 0..2 |-> 6] \notin Words
       /\ (triple[1] = 99 => triple \in Bad)
       /\ Cardinality({t \in Triples : t[2] = triple[2]}) >= 3
First == CHOOSE t \in Triples : t[1] + t[2] = 20
Chosen == First = <<7, 13, 0>> \/ First = <<0, 20, 5>>
==============================================================================
