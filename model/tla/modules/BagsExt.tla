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

(* op over every copy of every element, in the order of the elements: what was
   folded so far first, then the element. A function that is no bag has no fold.  *)
FoldBag(op(_, _), base, B) ==
    LET RECURSIVE copies(_, _, _)
        copies(x, n, folded) ==
            CASE n > 1 -> copies(x, n - 1, op(folded, x))
              [] n = 1 -> op(folded, x)
        RECURSIVE over(_, _)
        over(rest, folded) ==
            IF rest = {}
            THEN folded
            ELSE LET first == CHOOSE x \in rest : TRUE
                 IN  over(rest \ {first}, copies(first, B[first], folded))
    IN  over(DOMAIN B, base)

SumBag(B) == FoldBag(+, 0, B)
ProductBag(B) == FoldBag(LAMBDA x, y : x * y, 1, B)
==================================================================================
