----------------------------- MODULE DyadicRationals -----------------------------
(* Fractions whose denominator is a power of two: [num |-> n, den |-> d], reduced. *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC

LOCAL Fraction(n, d) == [num |-> n, den |-> d]

(* Halve numerator and denominator as long as both are even. *)
RECURSIVE Lowest(_)
LOCAL Lowest(p) ==
    CASE p.num = 0 -> Fraction(0, 1)
      [] p.num # 0 /\ p.num % 2 = 0 /\ p.den % 2 = 0 -> Lowest(Fraction(p.num \div 2, p.den \div 2))
      [] OTHER -> p

Zero == Fraction(0, 1)
One == Fraction(1, 1)

IsDyadicRational(p) == \E i \in 0..p.den : p.den = 2^i

(* One denominator divides the other: both are powers of two. *)
Add(p, q) ==
    LET common == IF p.den > q.den THEN p.den ELSE q.den
    IN  Lowest(Fraction(p.num * (common \div p.den) + q.num * (common \div q.den), common))

Half(p) == Lowest(Fraction(p.num, p.den * 2))

PrettyPrint(p) ==
    CASE p = Zero -> "0"
      [] p = One -> "1"
      [] OTHER -> ToString(p.num) \o "/" \o ToString(p.den)
==================================================================================
