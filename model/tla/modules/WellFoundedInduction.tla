-------------------------- MODULE WellFoundedInduction ---------------------------
(* The definitions that go with the theorems of this name; the theorems themselves
   speak to a prover only.                                                          *)
EXTENDS NaturalsInduction

(* Relations are sets of pairs <<smaller, larger>>. *)
IsTransitivelyClosedOn(R, S) ==
    \A x, y, z \in S : (<<x, y>> \in R /\ <<y, z>> \in R) => <<x, z>> \in R

(* No endless descent. *)
IsWellFoundedOn(R, S) == \A f \in [Nat -> S] : \E n \in Nat : <<f[n + 1], f[n]>> \notin R

SetLessThan(x, R, S) == {y \in S : <<y, x>> \in R}

(* Def(g, x) reads g only below x; functions that Def then defines. *)
WFDefOn(R, S, Def(_, _)) ==
    \A g, h : \A x \in S : (\A y \in SetLessThan(x, R, S) : g[y] = h[y]) => Def(g, x) = Def(h, x)
OpDefinesFcn(f, S, Def(_, _)) == f = CHOOSE g : g = [x \in S |-> Def(g, x)]
WFInductiveDefines(f, S, Def(_, _)) == f = [x \in S |-> Def(f, x)]
WFInductiveUnique(S, Def(_, _)) ==
    \A g, h : (WFInductiveDefines(g, S, Def) /\ WFInductiveDefines(h, S, Def)) => g = h

TransitiveClosureOn(R, S) ==
    {p \in S \X S : \A T \in SUBSET (S \X S) :
        (R \cap (S \X S) \subseteq T /\ IsTransitivelyClosedOn(T, S)) => p \in T}

OpToRel(_\prec_, S) == {p \in S \X S : p[1] \prec p[2]}
PreImage(f(_), S, R) == {p \in S \X S : <<f(p[1]), f(p[2])>> \in R}

LexPairOrdering(R1, R2, S1, S2) ==
    {p \in (S1 \X S2) \X (S1 \X S2) :
        \/ <<p[1][1], p[2][1]>> \in R1
        \/ p[1][1] = p[2][1] /\ <<p[1][2], p[2][2]>> \in R2}
LexProductOrdering(R, S, n) ==
    {p \in [1..n -> S] \X [1..n -> S] :
        \E j \in 1..n : <<p[1][j], p[2][j]>> \in R /\ \A i \in 1..j - 1 : p[1][i] = p[2][i]}
==================================================================================
