------------------------------ MODULE Majority ------------------------------
EXTENDS Integers, FiniteSets
CONSTANT Replica

\* Two sets of more than half of the replicas have one in common.
THEOREM MajoritiesMeet ==
  ASSUME NEW one \in SUBSET Replica, NEW other \in SUBSET Replica,
         OneIsMajority::   2 * Cardinality(one) > Cardinality(Replica),
         OtherIsMajority:: 2 * Cardinality(other) > Cardinality(Replica)
  PROVE  one \cap other # {}

\* Half of them is not enough. EXPECT refuted
THEOREM HalvesMeet ==
  ASSUME NEW one \in SUBSET Replica, NEW other \in SUBSET Replica,
         OneIsHalf::   2 * Cardinality(one) >= Cardinality(Replica),
         OtherIsHalf:: 2 * Cardinality(other) >= Cardinality(Replica)
  PROVE  one \cap other # {}
=============================================================================
