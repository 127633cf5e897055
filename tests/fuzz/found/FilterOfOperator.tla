---- MODULE FilterOfOperator ----
\* A condition on what an operator describes is asked of the elements that are asked for: 1 \div 0 is not met.
EXTENDS Integers
VARIABLE x
Pairs(S) == S \X S
Both(S, T) == S \cap T
Init == x = 1
Next == UNCHANGED x
Meet == <<1, 1>> \in {p \in Pairs({0, 1}) \cap Pairs({0, 1, 2}) : 1 \div p[1] = x}
Passed == <<1, 1>> \in {p \in Both({0, 1} \X {0, 1}, Pairs({0, 1, 2})) : 1 \div p[1] = x}
Local == LET Q(S) == S \X S IN <<1, 1>> \in {p \in Q({0, 1}) \ {<<2, 2>>} : 1 \div p[1] = x}
Inv == Meet /\ Passed /\ Local
====
