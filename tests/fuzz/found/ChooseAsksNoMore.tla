---- MODULE ChooseAsksNoMore ----
\* CHOOSE asks nothing of the elements after the one that it takes.
EXTENDS Integers, TLC
CONSTANTS U
VARIABLES x, s
u == {U, -2, 1}
Init == x \in {1, U} /\ s \in {{1}, {2, 3}, {}}
Mixed == x' = (CHOOSE t \in u : t # <<>>) /\ s' = s
Sets == x' = x /\ s' = (CHOOSE t \in {{1}, {2}, {1, 2}, {}} : t = {} \/ (x = U /\ 1 \div (2 - 2 * (CHOOSE e \in t : TRUE)) # 0))
Next == Mixed \/ Sets
====
