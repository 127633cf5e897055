---- MODULE DomainOfFunction ----
\* Where a function on a listed set is not applied as it is written TLC computes all its values, also for its DOMAIN.
\* The reference evaluator did not, and said that the engines' error was wrong.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == UNCHANGED x
NotInIt == 5 \notin DOMAIN [w \in {1} |-> CHOOSE q \in {x} : q # x]
====
