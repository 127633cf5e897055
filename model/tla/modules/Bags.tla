---------------------------------- MODULE Bags -----------------------------------
(* Bags (multisets): functions from the elements to how often each occurs, a
   positive number.                                                                *)
EXTENDS TLC
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Functions

IsABag(B) == \A e \in DOMAIN B : B[e] \in Nat \ {0}

BagToSet(B) == DOMAIN B
(* The union asks whether S is a set, as TLC does. *)
SetToBag(S) == [e \in S \cup {} |-> 1]
EmptyBag == SetToBag({})

(* As TLC computes them, these ask for numbers, and the sum for bags: what is none has
   no value.                                                                        *)
CopiesIn(e, B) == IF e \in DOMAIN B THEN B[e] + 0 ELSE 0
BagIn(e, B) == CopiesIn(e, B) > 0
BagCardinality(B) == CASE IsABag(B) -> SumFunction(B)

A (+) B ==
    CASE IsABag(A) /\ IsABag(B) ->
        [e \in DOMAIN A \cup DOMAIN B |-> CopiesIn(e, A) + CopiesIn(e, B)]

A (-) B ==
    [e \in {d \in DOMAIN A : CopiesIn(d, B) < A[d]} |-> A[e] - CopiesIn(e, B)]

A \sqsubseteq B == \A e \in DOMAIN A : A[e] <= CopiesIn(e, B)

(* The sum of a set of bags. *)
BagUnion(S) ==
    [e \in UNION {DOMAIN B : B \in S} |-> SumFunction([B \in S |-> CopiesIn(e, B)])]

(* All bags that B contains. *)
SubBag(B) ==
    LET RECURSIVE over(_)
        over(S) ==
            IF S = {}
            THEN {EmptyBag}
            ELSE LET e == CHOOSE x \in S : TRUE
                     rest == over(S \ {e})
                 IN  rest \cup {A @@ (e :> n) : A \in rest, n \in 1..B[e]}
    IN  over(DOMAIN B)

(* The bag of F(e) for every copy of every e in B. *)
BagOfAll(F(_), B) ==
    [v \in {F(e) : e \in DOMAIN B} |-> SumFunctionOnSet(B, {e \in DOMAIN B : F(e) = v})]
==================================================================================
