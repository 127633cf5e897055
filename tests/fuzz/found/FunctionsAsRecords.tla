---- MODULE FunctionsAsRecords ----
(* Records, sequences and functions that are equal: machine code took a function for an element of such a set of
   records or sequences never. *)
EXTENDS Integers, Sequences, Bags, TLC, FiniteSets
VARIABLES f, g, h, bag, chosen

Init ==
    /\ f \in [{"a", "b"} -> 1..2]
    /\ g \in UNION {[d -> 1..2] : d \in SUBSET {"a", "b"}}
    /\ h \in UNION {[d -> 1..2] : d \in SUBSET {0, 1, 2}}
    /\ bag = SetToBag({"m"})
    /\ chosen = 0

Choose(n, test) == chosen = 0 /\ test /\ chosen' = n /\ UNCHANGED <<f, g, h, bag>>

Next ==
    \/ Choose(1, f \in {[a |-> 1, b |-> 2]})
    \/ Choose(2, g \in {[a |-> 1, b |-> 2], [a |-> 2]})
    \/ Choose(3, g \in {<<>>})
    \/ Choose(4, {g} \subseteq {<<>>, [a |-> 1], [b |-> 2]})
    \/ Choose(5, h \in {<<1, 2>>})
    \/ Choose(6, h \in {<<>>, <<1>>, <<2, 2>>})
    \/ Choose(7, (bag (-) bag) \in {EmptyBag})
    \/ Choose(8, \E z \in {<<[a |-> 1], 1>>, <<<<>>, 1>>} : <<g, 1>> = z)
    \/ Choose(9, <<g, 1>> \in {<<[a |-> 1], 1>>, <<<<>>, 1>>})
    \/ Choose(10, LET t == [z \in {<<>>, [a |-> 1]} |-> 5] IN g \in DOMAIN t /\ t[g] = 5)
    \/ Choose(11, {f} \in {{[a |-> 1, b |-> 1]}, {}})
====
