--------------------------------- MODULE Relation --------------------------------
(* Properties of a relation over S, given as a Boolean function R on S \X S, or (the
   operators ending in Under) as an operator of two arguments.                      *)
EXTENDS Naturals, FiniteSets

LOCAL AsFunction(op(_, _), S) == [p \in S \X S |-> op(p[1], p[2])]

IsReflexive(R, S) == \A x \in S : R[x, x]
IsReflexiveUnder(op(_, _), S) == \A x \in S : op(x, x)

IsIrreflexive(R, S) == \A x \in S : ~R[x, x]
IsIrreflexiveUnder(op(_, _), S) == \A x \in S : ~op(x, x)

IsSymmetric(R, S) == \A x, y \in S : R[x, y] = R[y, x]
IsSymmetricUnder(op(_, _), S) == IsSymmetric(AsFunction(op, S), S)

IsAntiSymmetric(R, S) == \A x, y \in S : (x # y) => ~(R[x, y] /\ R[y, x])
IsAntiSymmetricUnder(op(_, _), S) == IsAntiSymmetric(AsFunction(op, S), S)

IsAsymmetric(R, S) == \A x, y \in S : R[x, y] => ~R[y, x]
IsAsymmetricUnder(op(_, _), S) == IsAsymmetric(AsFunction(op, S), S)

IsTransitive(R, S) == \A x, y \in S : R[x, y] => \A z \in S : R[y, z] => R[x, z]
IsTransitiveUnder(op(_, _), S) == IsTransitive(AsFunction(op, S), S)

IsPartiallyOrdered(R, S) ==
    IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrderedUnder(op(_, _), S) == IsPartiallyOrdered(AsFunction(op, S), S)

IsStrictlyPartiallyOrdered(R, S) ==
    IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) == IsStrictlyPartiallyOrdered(AsFunction(op, S), S)

IsTotallyOrdered(R, S) ==
    IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]
IsTotallyOrderedUnder(op(_, _), S) == IsTotallyOrdered(AsFunction(op, S), S)

IsStrictlyTotallyOrdered(R, S) ==
    IsStrictlyPartiallyOrdered(R, S) /\ \A x, y \in S : (x # y) => (R[x, y] \/ R[y, x])
IsStrictlyTotallyOrderedUnder(op(_, _), S) == IsStrictlyTotallyOrdered(AsFunction(op, S), S)

(* Paths of any length, found by doubling: after n rounds those of up to 2^n steps. *)
TransitiveClosure(R, S) ==
    LET RECURSIVE after(_, _)
        after(Q, rounds) ==
            IF rounds = 0
            THEN Q
            ELSE after([p \in S \X S |-> Q[p] \/ \E m \in S : Q[p[1], m] /\ Q[m, p[2]]], rounds - 1)
    IN  after([p \in S \X S |-> R[p]], Cardinality(S))

ReflexiveTransitiveClosure(R, S) ==
    LET paths == TransitiveClosure(R, S)
    IN  [p \in S \X S |-> p[1] = p[2] \/ paths[p]]

IsConnected(R, S) ==
    LET paths == ReflexiveTransitiveClosure(R, S)
    IN  \A p \in S \X S : paths[p]
==================================================================================
