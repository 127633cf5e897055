----------------------------- MODULE PaxosSymmetric -----------------------------
EXTENDS Paxos, TLC
Symmetry == Permutations(Acceptors) \cup Permutations(Values)
=================================================================================
