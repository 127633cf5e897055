---- MODULE ArgumentsLater ----
\* Of operators that are written in TLA+ an argument that is not read needs no value.
EXTENDS Integers, Sequences, Folds, Functions, SequencesExt
VARIABLE x
None == <<>>[x + 1]
Init == x = 0
Next == x' = 1 - x
Unread == /\ Remove(<<>>, None) = <<>>
          /\ ReplaceAll(<<1>>, 2, None) = <<1>>
          /\ Restrict(None, {}) = <<>>
          /\ MapThenFoldSet(LAMBDA a, b : a, None, LAMBDA a : a, LAMBDA s : CHOOSE e \in s : TRUE, {1}) = 1
====
