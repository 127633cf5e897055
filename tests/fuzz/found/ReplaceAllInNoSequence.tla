---- MODULE ReplaceAllInNoSequence ----
\* ReplaceAll of a function that is no sequence had a value; TLC asks for its length.
EXTENDS Integers, TLC, SequencesExt
VARIABLE x
Init == x = 0 :> "z"
Next == UNCHANGED x
Holds == ReplaceAll(x, "", 1) = ReplaceAll(x, "", 1)
====
