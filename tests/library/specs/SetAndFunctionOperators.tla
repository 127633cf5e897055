------------------------ MODULE SetAndFunctionOperators ------------------------
\* What FiniteSetsExt, Functions, Folds and Relation mean. Values verified with TLC.
EXTENDS Integers, FiniteSets, Sequences, TLC, FiniteSetsExt, Functions, Folds, Relation

Pair(a, b) == <<a, b>>
Letters == "a" :> 1 @@ "b" :> 2 @@ "c" :> 1
Divides == [p \in (1..6) \X (1..6) |-> p[2] % p[1] = 0]
Next == [p \in (1..4) \X (1..4) |-> p[2] = p[1] + 1]

ASSUME FoldSet(+, 0, 1..10) = 55 /\ FoldSet(Pair, 0, {}) = 0
ASSUME FoldSet(Pair, 0, {1, 2}) = <<2, <<1, 0>>>>
ASSUME ReduceSet(+, {1, 2}, 5) = 8
ASSUME SumSet({1, 2, 3}) = 6 /\ ProductSet({2, 3, 4}) = 24 /\ SumSet({}) = 0 /\ ProductSet({}) = 1
ASSUME MapThenSumSet(LAMBDA p : p[1], {<<2, 1>>, <<2, 2>>}) = 4
ASSUME MapThenFoldSet(Pair, 0, LAMBDA x : x * x, LAMBDA S : CHOOSE x \in S : \A y \in S : x <= y, {1, 2}) = <<1, <<4, 0>>>>
ASSUME FlattenSet({{1}, {2, 3}}) = {1, 2, 3} /\ SymDiff({1, 2}, {2, 3}) = {1, 3}
ASSUME Quantify(1..9, LAMBDA n : n % 2 = 0) = 4
ASSUME kSubset(2, 1..3) = {{1, 2}, {1, 3}, {2, 3}} /\ kSubset(0, 1..3) = {{}} /\ kSubset(4, 1..3) = {}
ASSUME {1, 2} \in kSubset(2, 1..3) /\ {1, 4} \notin kSubset(2, 1..3) /\ Cardinality(kSubset(3, 1..8)) = 56
ASSUME Max({3, 1, 2}) = 3 /\ Min({3, 1, 2}) = 1
ASSUME Choices({{1, 2}, {2, 3}, {5}}) = {{2, 5}, {1, 2, 5}, {1, 3, 5}, {2, 3, 5}}
ASSUME ChooseUnique({2, 3, 4, 5}, LAMBDA x : x % 3 = 1) = 4

ASSUME Range(Letters) = {1, 2} /\ Range(<<>>) = {}
ASSUME Restrict(Letters, {"a"}) = "a" :> 1
ASSUME RestrictDomain(Letters, LAMBDA x : x # "b") = "a" :> 1 @@ "c" :> 1
ASSUME RestrictValues(Letters, LAMBDA y : y = 2) = "b" :> 2
ASSUME IsRestriction("a" :> 1, Letters) /\ ~IsRestriction("a" :> 2, Letters) /\ ~IsRestriction("d" :> 1, Letters)
ASSUME Pointwise(<<1, 2>>, <<3, 4>>, +) = <<4, 6>>
ASSUME Inverse(<<5, 6>>, {1, 2}, {5, 6}) = 5 :> 1 @@ 6 :> 2
ASSUME AntiFunction(<<"x", "y">>) = "x" :> 1 @@ "y" :> 2
ASSUME IsInjective(<<1, 2>>) /\ ~IsInjective(Letters) /\ IsInjective(<<>>)
ASSUME Cardinality(Injection(1..2, 1..3)) = 6 /\ Cardinality(Surjection(1..3, 1..2)) = 6
ASSUME Cardinality(Bijection(1..3, 1..3)) = 6 /\ Bijection(1..2, 1..3) = {}
ASSUME ExistsInjection(1..2, 1..3) /\ ~ExistsInjection(1..3, 1..2)
ASSUME ExistsSurjection(1..3, 1..2) /\ ~ExistsSurjection(1..2, 1..3)
ASSUME ExistsBijection(1..2, {"a", "b"}) /\ ~ExistsBijection(1..2, 1..3)
ASSUME FoldFunction(+, 0, Letters) = 4 /\ FoldFunction(Pair, 0, <<7, 8>>) = <<8, <<7, 0>>>>
ASSUME FoldFunctionOnSet(+, 0, Letters, {"a", "b"}) = 3

ASSUME IsReflexive(Divides, 1..6) /\ ~IsReflexive(Next, 1..4) /\ IsReflexiveUnder(<=, 1..3)
ASSUME IsIrreflexive(Next, 1..4) /\ ~IsIrreflexive(Divides, 1..6) /\ IsIrreflexiveUnder(<, 1..3)
ASSUME ~IsSymmetric(Divides, 1..6) /\ IsSymmetricUnder(=, 1..3)
ASSUME IsAntiSymmetric(Divides, 1..6) /\ IsAntiSymmetricUnder(<=, 1..3) /\ ~IsAntiSymmetricUnder(#, 1..3)
ASSUME IsAsymmetric(Next, 1..4) /\ ~IsAsymmetric(Divides, 1..6) /\ IsAsymmetricUnder(<, 1..3)
ASSUME IsTransitive(Divides, 1..6) /\ ~IsTransitive(Next, 1..4) /\ IsTransitiveUnder(<, 1..3)
ASSUME IsPartiallyOrdered(Divides, 1..6) /\ ~IsTotallyOrdered(Divides, 1..6)
ASSUME IsTotallyOrderedUnder(<=, 1..3) /\ IsPartiallyOrderedUnder(<=, 1..3) /\ ~IsTotallyOrderedUnder(<, 1..3)
ASSUME IsStrictlyTotallyOrderedUnder(<, 1..3) /\ IsStrictlyPartiallyOrderedUnder(<, 1..3)
ASSUME ~IsStrictlyPartiallyOrdered(Divides, 1..6) /\ ~IsStrictlyTotallyOrdered(Next, 1..4)
ASSUME TransitiveClosure(Next, 1..4) = [p \in (1..4) \X (1..4) |-> p[1] < p[2]]
ASSUME ReflexiveTransitiveClosure(Next, 1..4) = [p \in (1..4) \X (1..4) |-> p[1] <= p[2]]
ASSUME ~IsConnected(Next, 1..4) /\ IsConnected([p \in {1, 2} \X {1, 2} |-> p[1] # p[2]], {1, 2})
================================================================================
