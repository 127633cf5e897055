---- MODULE ItemsAreCompared ----
\* The Python engine looked for an item without comparing it with the others, as TLC does.
EXTENDS Integers, FiniteSets, SequencesExt
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == x = 1 \/ Contains(<<x>>, s) \/ TRUE
====
