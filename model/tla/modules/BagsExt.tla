--------------------------------- MODULE BagsExt ---------------------------------
(* Operators on bags beyond Bags: single elements, folds, sums. *)
LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE Folds
LOCAL INSTANCE TLC

BagAdd(B, x) == (x :> CopiesIn(x, B) + 1) @@ B

BagRemoveAll(B, x) == [e \in DOMAIN B \ {x} |-> B[e]]

BagRemove(B, x) ==
    CASE x \notin DOMAIN B -> B
      [] x \in DOMAIN B /\ B[x] = 1 -> BagRemoveAll(B, x)
      [] OTHER -> [B EXCEPT ![x] = @ - 1]

(* f of every copy, combined by op; the copies of one element follow each other and
   start from base, so base should be neutral for op.                              *)
MapThenFoldBag(op(_, _), base, f(_), pick(_), B) ==
    LET RECURSIVE copies(_, _)
        copies(x, n) == IF n = 0 THEN base ELSE op(copies(x, n - 1), f(x))
    IN  MapThenFoldSet(op, base, LAMBDA x : copies(x, B[x]), LAMBDA S : CHOOSE x \in S : TRUE, DOMAIN B)

FoldBag(op(_, _), base, B) ==
    MapThenFoldBag(op, base, LAMBDA x : x, LAMBDA S : CHOOSE x \in S : TRUE, B)

SumBag(B) == FoldBag(+, 0, B)
ProductBag(B) == FoldBag(LAMBDA x, y : x * y, 1, B)
==================================================================================
