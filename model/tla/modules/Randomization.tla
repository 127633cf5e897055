------------------------------ MODULE Randomization ------------------------------
(* Samples of sets too large to enumerate. The choice is pseudo-random and the same
   in every run.                                                                   *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

(* A subset of S with k elements. *)
RandomSubset(k, S) == CHOOSE T \in SUBSET S : Cardinality(T) = k

(* At most k subsets of S, of n elements on average. *)
RandomSetOfSubsets(k, n, S) == CHOOSE T \in SUBSET (SUBSET S) : Cardinality(T) <= k

TestRandomSetOfSubsets(k, n, S) == [i \in 1..5 |-> Cardinality(RandomSetOfSubsets(k, n, S))]
==================================================================================
