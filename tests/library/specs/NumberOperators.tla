---------------------------- MODULE NumberOperators ----------------------------
\* What Bitwise, Combinatorics, DyadicRationals and VectorClocks mean. Values verified with TLC.
EXTENDS Integers, Sequences, TLC, Bitwise, Combinatorics, VectorClocks
Q == INSTANCE DyadicRationals

ASSUME (12 & 10) = 8 /\ (12 | 10) = 14 /\ (12 ^^ 10) = 6 /\ (0 & 5) = 0 /\ (0 | 5) = 5 /\ (5 ^^ 5) = 0
ASSUME Not(5) = 2 /\ Not(8) = 7 /\ shiftR(13, 2) = 3 /\ shiftR(1, 5) = 0
ASSUME factorial[5] = 120 /\ factorial[0] = 1 /\ choose(5, 2) = 10 /\ choose(5, 0) = 1 /\ choose(5, 5) = 1

ASSUME Q!Add(Q!Half(Q!One), Q!Half(Q!Half(Q!One))) = [num |-> 3, den |-> 4]
ASSUME Q!Add(Q!Half(Q!One), Q!Half(Q!One)) = Q!One /\ Q!Add(Q!Zero, Q!One) = Q!One
ASSUME Q!IsDyadicRational([num |-> 3, den |-> 8]) /\ ~Q!IsDyadicRational([num |-> 1, den |-> 3])
ASSUME Q!PrettyPrint(Q!Half(Q!One)) = "1/2" /\ Q!PrettyPrint(Q!Zero) = "0" /\ Q!PrettyPrint(Q!One) = "1"

Entry(n, a, b) == [by |-> n, at |-> "p" :> a @@ "q" :> b]
First == Entry("p", 1, 0)
Second == Entry("q", 1, 1)
Third == Entry("p", 2, 1)

ASSUME IsCausalOrder(<<First, Second, Third>>, LAMBDA e : e.at)
ASSUME ~IsCausalOrder(<<Second, First, Third>>, LAMBDA e : e.at)
ASSUME CausalOrder(<<Third, Second, First>>, LAMBDA e : e.at, LAMBDA e : e.by, LAMBDA c : DOMAIN c) = <<First, Second, Third>>
================================================================================
