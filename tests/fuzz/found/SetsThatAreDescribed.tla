---- MODULE SetsThatAreDescribed ----
\* A set that is described was taken for a part of one that is listed, or not, without a comparison.
EXTENDS Integers
CONSTANT u
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == ~([{s} -> {1}] \subseteq {[i \in {x} |-> 1]})
====
