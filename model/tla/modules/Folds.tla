---------------------------------- MODULE Folds ----------------------------------
(* Fold over a set: the operator from which the folds over functions, sequences
   and bags of the other modules are made.                                        *)

(* Take an element of S by pick, fold the rest, then combine f of that element
   with the result; base is the result for the empty set. Where op is not
   associative and commutative the result depends on the order that pick gives.   *)
MapThenFoldSet(op(_, _), base, f(_), pick(_), S) ==
    LET RECURSIVE over(_)
        over(T) ==
            IF T = {}
            THEN base
            ELSE LET first == pick(T) IN op(f(first), over(T \ {first}))
    IN  over(S)
==================================================================================
