---------------------------- MODULE NaturalsInduction ----------------------------
(* The definitions that go with the theorems of this name; the theorems themselves
   speak to a prover only.                                                          *)
EXTENDS Integers

(* f is defined by recursion over the naturals (over m..n), from f0 by Def. *)
NatInductiveDefHypothesis(f, f0, Def(_, _)) ==
    f = CHOOSE g : g = [n \in Nat |-> IF n = 0 THEN f0 ELSE Def(g[n - 1], n)]
NatInductiveDefConclusion(f, f0, Def(_, _)) ==
    f = [n \in Nat |-> IF n = 0 THEN f0 ELSE Def(f[n - 1], n)]

FiniteNatInductiveDefHypothesis(f, c, Def(_, _), m, n) ==
    f = CHOOSE g : g = [i \in m..n |-> IF i = m THEN c ELSE Def(g[i - 1], i)]
FiniteNatInductiveDefConclusion(f, c, Def(_, _), m, n) ==
    f = [i \in m..n |-> IF i = m THEN c ELSE Def(f[i - 1], i)]
==================================================================================
