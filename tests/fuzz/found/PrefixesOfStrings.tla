---- MODULE PrefixesOfStrings ----
\* The reference evaluator had no prefix of a string.
EXTENDS Integers, FiniteSets, SequencesExt
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == CommonPrefixes({s}) = {"", "a"} /\ IsPrefix("", s)
====
