--------------------------------- MODULE Apalache --------------------------------
(* Operators that Apalache gives a meaning of its own; here what they denote, so that
   a specification written for it can be enumerated.                               *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

x := e == x = e

(* Any value up to a size: meaningful to a solver only, refused here. *)
Gen(size) == CHOOSE v : TRUE

Guess(S) == CHOOSE x \in S : TRUE

(* Hints to the solver. *)
Skolem(e) == e
Expand(S) == S
ConstCardinality(e) == e

(* A set of pairs as a function; the sequence of F(1), …, F(n); a function's first
   `length` values as a sequence.                                                   *)
SetAsFun(S) ==
    [x \in {p[1] : p \in S} |-> (CHOOSE p \in S : p[1] = x)[2]]
MkSeq(n, F(_)) == [i \in 1..n |-> F(i)]
FunAsSeq(f, length, capacity) == [i \in 1..length |-> f[i]]

RECURSIVE ApaFoldSet(_, _, _)
ApaFoldSet(Op(_, _), base, S) ==
    IF S = {}
    THEN base
    ELSE LET x == CHOOSE y \in S : TRUE IN ApaFoldSet(Op, Op(base, x), S \ {x})

RECURSIVE ApaFoldSeqLeft(_, _, _)
ApaFoldSeqLeft(Op(_, _), base, s) ==
    IF Len(s) = 0 THEN base ELSE ApaFoldSeqLeft(Op, Op(base, Head(s)), Tail(s))

(* F(…F(F(x, 1), 2)…, n) *)
RECURSIVE Repeat(_, _, _)
Repeat(F(_, _), n, x) == IF n <= 0 THEN x ELSE F(Repeat(F, n - 1, x), n)
==================================================================================
