---- MODULE StrictSuffixOfNoSequence ----
\* A strict suffix was none where the two are equal, whatever they are; TLC looks at them as sequences first.
EXTENDS Integers, FiniteSets, SequencesExt
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == x = 1 \/ ~IsStrictSuffix(x > 1, TRUE)
====
