--------------------------- MODULE ApalacheOperators ---------------------------
\* What Apalache, Variants and Option denote.
EXTENDS Integers, Sequences, FiniteSets, TLC, Option

ASSUME (3 := 3) /\ Guess({7}) = 7 /\ Skolem(\E x \in 1..2 : x = 1) /\ Expand(SUBSET {1}) = {{}, {1}}
ASSUME ConstCardinality(Cardinality({1, 2}) >= 2)
ASSUME SetAsFun({<<1, "a">>, <<2, "b">>}) = <<"a", "b">> /\ MkSeq(3, LAMBDA i : i * i) = <<1, 4, 9>>
ASSUME FunAsSeq(1 :> 5 @@ 2 :> 6 @@ 3 :> 7, 2, 3) = <<5, 6>>
ASSUME ApaFoldSet(LAMBDA a, b : a + b, 0, 1..4) = 10
ASSUME ApaFoldSeqLeft(LAMBDA a, b : <<a, b>>, 0, <<1, 2>>) = <<<<0, 1>>, 2>>
ASSUME Repeat(LAMBDA a, i : a + i, 3, 0) = 6

ASSUME VariantTag(Variant("A", 1)) = "A" /\ VariantGetUnsafe("A", Variant("A", 1)) = 1
ASSUME VariantGetOrElse("B", Variant("A", 1), 9) = 9
ASSUME VariantFilter("A", {Variant("A", 1), Variant("B", 2)}) = {1}
ASSUME IsSome(Some(1)) /\ IsNone(None) /\ OptionGetOrElse(None, 4) = 4 /\ OptionToSet(Some(3)) = {3}
ASSUME OptionMap(LAMBDA x : x + 1, Some(1)) = Some(2) /\ OptionToSeq(None) = <<>>
================================================================================
