---- MODULE FirstOfMatches ----
\* The reference evaluator asked the items behind the first one that matches, too; TLC has it in Java.
EXTENDS Integers, FiniteSets, SequencesExt
VARIABLES x, s
Init == x \in {1, 2} /\ s = "a"
Next == x' = x /\ s' = s
Holds == SelectInSeq(<<x, 3, 0>>, LAMBDA k : 6 \div k < 3) = 2 /\ RemoveFirst(<<x, "a">>, x) = <<"a">>
====
