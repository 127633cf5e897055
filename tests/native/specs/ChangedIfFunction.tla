---- MODULE ChangedIfFunction ----
\* EXCEPT on values that are no functions in some states, and on elements that there never are.
EXTENDS Integers, Sequences
VARIABLES f, n, none
Init == f = [i \in 1..2 |-> [a |-> 0]] /\ n = 0 /\ none = <<>>
None == "none"
Changed(q) == [i \in DOMAIN q |-> [q[i] EXCEPT !.a = @ + 1, !.b = 0]]
Next == /\ n < 6 /\ n' = n + 1 /\ none' = Changed(none)
        /\ f' = CASE n = 1 -> [f EXCEPT ![1] = None]
                  [] n = 2 -> [f EXCEPT ![2].a = @ + n, ![1] = [a |-> 7]]
                  [] n = 4 -> [f EXCEPT ![2] = None]
                  [] OTHER -> [f EXCEPT ![1].a = @ + n]
Spec == Init /\ [][Next]_<<f, n, none>>
AsItShouldBe == n = 6 => f = <<[a |-> 15], None>>
====
