------------------------------ MODULE BagsTheorems -------------------------------
(* The definitions that go with the theorems of this name; the theorems themselves
   speak to a prover only.                                                          *)
EXTENDS Bags

LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Functions

Scaling(n, B) == IF n = 0 THEN EmptyBag ELSE [e \in DOMAIN B |-> n * B[e]]
SeqToBag(s) == [e \in Range(s) |-> Cardinality({i \in DOMAIN s : s[i] = e})]
==================================================================================
