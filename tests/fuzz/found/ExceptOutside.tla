---- MODULE ExceptOutside ----
(* EXCEPT at a place outside of the domain changes nothing, and what would be put there is not asked for. *)
EXTENDS Integers, Sequences
VARIABLES s, r

Init == s \in {<<>>, <<1>>, <<1, 2>>} /\ r = <<>>

Put(n, t) == r = <<>> /\ r' = <<n, t>> /\ s' = s

Next ==
    \/ Put(1, [s EXCEPT ![2] = 5])
    \/ Put(2, [[s EXCEPT ![2] = 5] EXCEPT ![2] = @ + 1])
    \/ Put(3, [s EXCEPT ![2] = @ + 1])
    \/ Put(4, [<<s>> EXCEPT ![1][2] = @ + 1][1])
    \/ Put(5, [<<s>> EXCEPT ![2][1] = 3][1])
    \/ Put(6, [s EXCEPT ![1] = 7, ![2] = @ + s[1]])
    \/ Put(7, [s EXCEPT ![3] = [s EXCEPT ![2] = s[2]][2]])
    \/ Put(8, Len([[i \in 1..Len(s) |-> <<s[i]>>] EXCEPT ![2][1] = @ + 1, ![1][2] = 3]))
====
