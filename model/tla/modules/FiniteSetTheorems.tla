---------------------------- MODULE FiniteSetTheorems ----------------------------
(* The definitions that go with the theorems of this name; the theorems themselves
   speak to a prover only.                                                          *)
EXTENDS FiniteSets, Integers, Functions, WellFoundedInduction

FiniteSubsetsOf(S) == {T \in SUBSET S : IsFiniteSet(T)}
StrictSubsetOrdering(S) ==
    {p \in (SUBSET S) \X (SUBSET S) : p[1] # p[2] /\ p[1] \subseteq p[2]}
==================================================================================
