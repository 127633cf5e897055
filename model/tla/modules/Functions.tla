-------------------------------- MODULE Functions --------------------------------
(* Operators on functions: restriction, range, inverse, kinds of functions, folds. *)
EXTENDS Integers, Folds

Range(f) == {f[x] : x \in DOMAIN f}

(* f on the set S, which is part of its domain. *)
Restrict(f, S) == [x \in S |-> f[x]]

(* f where its argument, or its value, passes Test. *)
RestrictDomain(f, Test(_)) == Restrict(f, {x \in DOMAIN f : Test(x)})
RestrictValues(f, Test(_)) == Restrict(f, {x \in DOMAIN f : Test(f[x])})

(* Does part agree with whole wherever part is defined? *)
IsRestriction(part, whole) ==
    DOMAIN part \subseteq DOMAIN whole /\ \A x \in DOMAIN part : part[x] = whole[x]

(* The function whose value at x is T(f[x], g[x]). *)
Pointwise(f, g, T(_, _)) == [x \in DOMAIN f |-> T(f[x], g[x])]

(* For each t in T some s in S that f maps to t (any s where there is none). *)
Inverse(f, S, T) ==
    LET reached == Range(f)
    IN  [t \in T |-> CHOOSE s \in S : (t \in reached) => (t = f[s])]

AntiFunction(f) == Inverse(f, DOMAIN f, Range(f))

IsInjective(f) == \A x, y \in DOMAIN f : (x # y) => (f[x] # f[y])

Injection(S, T) == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : T \subseteq Range(f)}
Bijection(S, T) == {f \in Injection(S, T) : T \subseteq Range(f)}

ExistsInjection(S, T) == \E f \in [S -> T] : IsInjective(f)
ExistsSurjection(S, T) == \E f \in [S -> T] : T \subseteq Range(f)
ExistsBijection(S, T) == Bijection(S, T) # {}

(* op over the values of fun, in the order of its domain: the value first, then
   what was folded so far.                                                         *)
FoldFunctionOnSet(op(_, _), base, fun, indices) ==
    LET RECURSIVE over(_, _)
        over(rest, folded) ==
            IF rest = {}
            THEN folded
            ELSE LET first == CHOOSE i \in rest : TRUE
                 IN  over(rest \ {first}, op(fun[first], folded))
    IN  IF DOMAIN fun = {} /\ indices = {} THEN base ELSE over(indices, base)

FoldFunction(op(_, _), base, fun) == FoldFunctionOnSet(op, base, fun, DOMAIN fun)

SumFunctionOnSet(fun, indices) == FoldFunctionOnSet(+, 0, fun, indices)
SumFunction(fun) == SumFunctionOnSet(fun, DOMAIN fun)
==================================================================================
