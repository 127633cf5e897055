---- MODULE FinitenessOfNoSet ----
\* The reference evaluator called a number a finite set, and so the error of the engines, and of TLC, wrong.
EXTENDS Integers, FiniteSets, SequencesExt
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == x = 1 \/ IsFiniteSet(x)
====
