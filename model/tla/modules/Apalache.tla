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

ApaFoldSet(Op(_, _), base, S) ==
    LET RECURSIVE fold(_, _)
        fold(acc, T) ==
            IF T = {} THEN acc ELSE LET x == CHOOSE y \in T : TRUE IN fold(Op(acc, x), T \ {x})
    IN  fold(base, S)

ApaFoldSeqLeft(Op(_, _), base, s) ==
    LET RECURSIVE upTo(_)
        upTo(n) == IF n = 0 THEN base ELSE Op(upTo(n - 1), s[n])
    IN  upTo(Len(s))

(* F(…F(F(x, 1), 2)…, n) *)
Repeat(F(_, _), n, x) ==
    LET RECURSIVE upTo(_)
        upTo(i) == IF i <= 0 THEN x ELSE F(upTo(i - 1), i)
    IN  upTo(n)
==================================================================================
