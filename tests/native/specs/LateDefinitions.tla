---- MODULE LateDefinitions ----
\* What LET defines has no value where a conjunct before its use is false.
EXTENDS Integers, Sequences
VARIABLES q, total

Largest(s) == CHOOSE x \in s : \A y \in s : y <= x
Init == q \in {<<>>, <<1>>, <<1, 2>>} /\ total = 0
Take == LET first == Head(q) rest == Tail(q)
        IN LET sum == first + first * total
           IN /\ q # <<>>
              /\ \/ total < 3
                 \/ total > -1 /\ first = 1
              /\ \E k \in {1, 2} : total' = sum + k
              /\ q' = rest
Give == LET new == Largest({x \in 1..2 : x > total}) IN
        /\ Len(q) < 2
        /\ total < 2
        /\ q' = Append(q, new)
        /\ total' = new - 1
Both == LET free == {x \in 1..2 : x > total} new == Largest(free)
        IN (total' = total /\ free # {}) /\ Len(q) < 2 /\ q' = q \o <<new>>
Next == Take \/ Give \/ Both
Bounded == total < 12
====
