----------------------------- MODULE BagOperators ------------------------------
\* What Bags and BagsExt mean. Values verified with TLC.
EXTENDS Integers, FiniteSets, Bags, BagsExt

B == "x" :> 2 @@ "y" :> 1
C == "y" :> 1 @@ "z" :> 3

ASSUME IsABag(B) /\ IsABag(EmptyBag) /\ ~IsABag("x" :> 0)
ASSUME BagToSet(B) = {"x", "y"} /\ SetToBag({1, 2}) = <<1, 1>> /\ EmptyBag = <<>>
ASSUME BagIn("x", B) /\ ~BagIn("z", B) /\ CopiesIn("x", B) = 2 /\ CopiesIn("z", B) = 0
ASSUME B (+) C = "x" :> 2 @@ "y" :> 2 @@ "z" :> 3
ASSUME B (+) EmptyBag = B /\ EmptyBag (+) B = B
ASSUME B (-) C = "x" :> 2 /\ C (-) B = "z" :> 3 /\ B (-) B = EmptyBag
ASSUME B (-) SetToBag({"x"}) = "x" :> 1 @@ "y" :> 1
ASSUME BagCardinality(B) = 3 /\ BagCardinality(EmptyBag) = 0
ASSUME SetToBag({"x"}) \sqsubseteq B /\ ~(B \sqsubseteq C) /\ EmptyBag \sqsubseteq B
ASSUME BagUnion({B, C}) = B (+) C /\ BagUnion({}) = EmptyBag /\ BagUnion({B}) = B
ASSUME SubBag(1 :> 2) = {<<>>, <<1>>, <<2>>}
ASSUME Cardinality(SubBag(B)) = 6 /\ \A D \in SubBag(B) : D \sqsubseteq B
ASSUME BagOfAll(LAMBDA e : IF e = "x" THEN 0 ELSE 0, B) = 0 :> 3
ASSUME BagOfAll(LAMBDA e : <<e>>, B) = <<"x">> :> 2 @@ <<"y">> :> 1

ASSUME BagAdd(B, "x") = "x" :> 3 @@ "y" :> 1 /\ BagAdd(B, "z") = B (+) SetToBag({"z"})
ASSUME BagRemove(B, "x") = "x" :> 1 @@ "y" :> 1 /\ BagRemove(B, "y") = "x" :> 2 /\ BagRemove(B, "q") = B
ASSUME BagRemoveAll(B, "x") = "y" :> 1
ASSUME FoldBag(LAMBDA a, b : a + b, 0, 1 :> 2 @@ 2 :> 1 @@ 3 :> 3) = 13
ASSUME SumBag(5 :> 2 @@ 7 :> 1) = 17 /\ ProductBag(5 :> 2 @@ 7 :> 1) = 175
ASSUME MapThenFoldBag(+, 0, LAMBDA e : 1, LAMBDA S : CHOOSE e \in S : TRUE, B) = 3
================================================================================
