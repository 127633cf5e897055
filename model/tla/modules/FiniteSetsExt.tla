------------------------------ MODULE FiniteSetsExt ------------------------------
(* Operators on finite sets beyond Cardinality: folds, sums, extremes, k-subsets. *)
EXTENDS Integers, FiniteSets, Folds, Functions

(* The checker takes the elements in their order: op(last, … op(second, op(first, base))). *)
FoldSet(op(_, _), base, S) ==
    LET RECURSIVE over(_, _)
        over(rest, folded) ==
            IF rest = {}
            THEN folded
            ELSE LET first == CHOOSE x \in rest : TRUE
                 IN  over(rest \ {first}, op(first, folded))
    IN  over(S, base)

(* An older name, with the arguments in another order. *)
ReduceSet(op(_, _), S, base) == FoldSet(op, base, S)

SumSet(S) == FoldSet(+, 0, S)
ProductSet(S) == FoldSet(LAMBDA x, y : x * y, 1, S)

(* The sum of op(x) over the elements; equal summands count each. *)
MapThenSumSet(op(_), S) ==
    MapThenFoldSet(+, 0, op, LAMBDA T : CHOOSE x \in T : TRUE, S)

FlattenSet(S) == UNION S

(* What is in one of the two sets and not in the other. *)
SymDiff(A, B) == (A \cup B) \ (A \cap B)

(* How many elements of S satisfy P. *)
Quantify(S, P(_)) == Cardinality({x \in S : P(x)})

(* The subsets of S that have k elements. The difference says that k is a number. *)
kSubset(k, S) == {T \in SUBSET S : Cardinality(T) - k = 0}

Max(S) == CHOOSE m \in S : \A x \in S : x <= m
Min(S) == CHOOSE m \in S : \A x \in S : m <= x

(* Every way to take one element from each set of Sets: the sets of what is taken. *)
Choices(Sets) ==
    {Range(f) : f \in {g \in [Sets -> UNION Sets] : \A S \in Sets : g[S] \in S}}

(* The one element that satisfies P; evaluation fails where there are none or several. *)
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S \ {x} : ~P(y)
==================================================================================
