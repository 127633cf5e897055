-------------------------- MODULE SequencesExtTheorems ---------------------------
(* The definitions that go with the theorems of this name; the theorems themselves
   speak to a prover only.                                                          *)
EXTENDS Sequences, SequencesExt, Functions, Integers, WellFoundedInduction

(* f is defined by recursion on sequences over S, from the tail (the front) on. *)
TailInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
    f = CHOOSE g : g = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(g[Tail(s)], s)]
TailInductiveDefConclusion(f, S, f0, Def(_, _)) ==
    f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[Tail(s)], s)]
FrontInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
    f = CHOOSE g : g = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(g[Front(s)], s)]
FrontInductiveDefConclusion(f, S, f0, Def(_, _)) ==
    f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[Front(s)], s)]

(* Def(g, s) reads g only at what is strictly shorter. *)
StrictPrefixesDetermineDef(S, Def(_, _)) ==
    \A g, h : \A s \in Seq(S) :
        (\A p \in Seq(S) : IsStrictPrefix(p, s) => g[p] = h[p]) => Def(g, s) = Def(h, s)
StrictSuffixesDetermineDef(S, Def(_, _)) ==
    \A g, h : \A s \in Seq(S) :
        (\A p \in Seq(S) : IsStrictSuffix(p, s) => g[p] = h[p]) => Def(g, s) = Def(h, s)
==================================================================================
