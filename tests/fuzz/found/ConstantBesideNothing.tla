---- MODULE ConstantBesideNothing ----
(* All sets of a quantifier are evaluated before the first is gone through, those that are constant, too. *)
EXTENDS Integers

CONSTANT y
VARIABLE x

Init == x = 0
Next == x' = 1 - x
Differ(q) == \A a \in {k \in 1..2 : q = {1, 2}}, b \in {k \in {y, 1, y} : 10 \div k # y} : a # b
Law == Differ({1}) /\ x = x
====
