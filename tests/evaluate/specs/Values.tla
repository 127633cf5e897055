------------------------------- MODULE Values --------------------------------
(* What constant expressions are equal to. TLC finds every assumption true, too. *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS p, q

ASSUME Arithmetic ==
    /\ (-7) \div 2 = -4 /\ (-7) % 2 = 1 /\ 7 \div 2 = 3 /\ 2 ^ 10 = 1024
    /\ 3 - 5 = -2 /\ -(-3) = 3 /\ 2 * 3 + 4 = 10 /\ 5 >= 5 /\ ~ (5 > 5)
    /\ 1..0 = {} /\ 3..5 = {5, 4, 3} /\ 0 \in Nat /\ -1 \notin Nat /\ -1 \in Int

ASSUME Sets ==
    /\ {1, 2} \cup {2, 3} = 1..3 /\ {1, 2} \cap {2, 3} = {2} /\ {1, 2} \ {2, 3} = {1}
    /\ SUBSET {1, 2} = {{}, {1}, {2}, {1, 2}} /\ UNION {{1}, {2, 3}, {}} = 1..3
    /\ {1} \subseteq {1, 2} /\ ~ ({3} \subseteq {1, 2}) /\ {} \subseteq Nat
    /\ {x \in 1..10 : x % 3 = 0} = {3, 6, 9} /\ {x * x : x \in -2..2} = {0, 1, 4}
    /\ {<<x, y>> : x, y \in 1..2} = (1..2) \X (1..2)
    /\ {x + y : x \in 1..2, y \in {10}} = {11, 12}
    /\ {<<a, b>> \in (1..3) \X (1..3) : a < b} = {<<1, 2>>, <<1, 3>>, <<2, 3>>}
    /\ Cardinality(SUBSET (1..10)) = 1024 /\ IsFiniteSet({1}) /\ ~ IsFiniteSet(Nat)
    /\ {{1, 2}, 3..4} = {4..4 \cup {3}, 1..2} /\ {p, q, p} = {q, p} /\ p # q
    /\ {1, 2} \in SUBSET Nat /\ {<<>>} \in SUBSET Seq(Nat) /\ (1..2) \X {p} # {}
    /\ BOOLEAN = {TRUE, FALSE} /\ "a" \in STRING
    /\ 5 \in {x \in Nat : x > 4} /\ 3 \notin {x \in Nat : x > 4} /\ 3 \in (Nat \ {2}) /\ p \in (Nat \cup {p})
    /\ "none" \in Nat \cup {"none"} /\ 5 \in STRING \cup 1..9 /\ TRUE \in Nat \cup BOOLEAN
    /\ <<"a", 1>> \in Seq(STRING) \cup {<<"a", n>> : n \in 1..2} /\ {5} \in Seq(Nat) \cup {{5}}
    /\ [{1} -> {1}] = {<<1>>} /\ Cardinality([{p, q} -> 1..3]) = 9 /\ [{} -> {1}] = {<<>>}

ASSUME Functions ==
    /\ [x \in 1..3 |-> x * x] = <<1, 4, 9>> /\ [x \in 1..3 |-> x][2] = 2
    /\ [x \in {} |-> x] = <<>> /\ DOMAIN <<>> = {} /\ DOMAIN <<7, 8>> = 1..2
    /\ [x \in 0..1 |-> x] # <<0, 1>> /\ [x \in 0..1 |-> x] = (0 :> 0 @@ 1 :> 1)
    /\ [a |-> 1, b |-> 2] = [b |-> 2, a |-> 1] /\ [a |-> 1].a = 1 /\ [a |-> 1]["a"] = 1
    /\ [a |-> 1, b |-> 2] = [s \in {"a", "b"} |-> IF s = "a" THEN 1 ELSE 2]
    /\ [x, y \in 1..2 |-> x - y][1, 2] = -1 /\ [x, y \in 1..2 |-> x - y][<<2, 1>>] = 1
    /\ [<<x, y>> \in {<<1, 2>>} |-> x + y] = (<<1, 2>> :> 3)
    /\ [x \in 1..2, <<y, z>> \in {<<3, 4>>} |-> x + y + z][1, <<3, 4>>] = 8
    /\ [[x \in 1..3 |-> 0] EXCEPT ![2] = 5, ![3] = @ + 1] = <<0, 5, 1>>
    /\ [[a |-> <<1, [b |-> 2]>>] EXCEPT !.a[2].b = @ * 10] = [a |-> <<1, [b |-> 20]>>]
    /\ [[x \in {p, q} |-> {}] EXCEPT ![p] = @ \cup {1}][p] = {1}
    /\ [[x, y \in 1..2 |-> 0] EXCEPT ![1, 2] = 7][1, 2] = 7
    /\ [p |-> 1] \in [{"p"} -> Nat] /\ <<1, 2>> \in [1..2 -> Nat] /\ <<1>> \notin [1..2 -> Nat]
    /\ [a |-> 1, b |-> TRUE] \in [a : Nat, b : BOOLEAN] /\ [a |-> 1] \notin [a : Nat, b : BOOLEAN]
    /\ [a : {1}, b : {2, 3}] = {[a |-> 1, b |-> 3], [b |-> 2, a |-> 1]}
    /\ <<1, "a">> \in Nat \X STRING /\ <<1, 2, 3>> \in (1..3) \X (1..3) \X (1..3)
    /\ <<1, 2>> \in Seq(1..2) /\ <<3>> \notin Seq(1..2)

Fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * Fact[n - 1]
Even[n \in 0..10] == IF n = 0 THEN TRUE ELSE ~ Even[n - 1]
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN x + Sum(S \ {x})
RECURSIVE IsEven(_), IsOdd(_)
IsEven(n) == n = 0 \/ IsOdd(n - 1)
IsOdd(n) == n # 0 /\ IsEven(n - 1)
RECURSIVE odd
even[n \in Nat] == n = 0 \/ odd[n - 1]
odd[n \in Nat] == n # 0 /\ even[n - 1]
ASSUME FunctionsOfEachOther == even[4] /\ odd[3] /\ ~ odd[0]

RECURSIVE Count(_)
Count(n) == IF n = 0 THEN 0 ELSE 1 + Count(n - 1)

ASSUME Recursion ==
    /\ Fact[5] = 120 /\ Even[10] /\ Sum(1..10) = 55 /\ IsEven(8) /\ IsOdd(3) /\ Count(100) = 100
    /\ LET f[x \in 1..3] == IF x = 1 THEN {} ELSE f[x - 1] \cup {x} IN f[3] = {2, 3}
    /\ LET RECURSIVE Up(_, _)
           Up(n, m) == IF n > m THEN <<>> ELSE <<n>> \o Up(n + 1, m)
       IN  Up(2, 5) = <<2, 3, 4, 5>>

Apply(F(_), x) == F(x)
Fold(Op(_, _), base, s) == LET f[i \in 0..Len(s)] == IF i = 0 THEN base ELSE Op(f[i - 1], s[i]) IN f[Len(s)]
Plus(a, b) == a + b
Const(c, unused) == c

ASSUME HigherOrder ==
    /\ Apply(LAMBDA x : x + 1, 2) = 3 /\ Fold(Plus, 0, <<1, 2, 3>>) = 6 /\ Fold(+, 10, <<1>>) = 11
    /\ Fold(LAMBDA a, b : a \cup {b}, {}, <<1, 1, 2>>) = {1, 2}
    /\ LET n == 5
           Add(x) == x + n
       IN  Apply(Add, 1) = 6 /\ {Apply(Add, y) : y \in 1..2} = {6, 7}
    /\ Const(1, Head(<<>>)) = 1 /\ Apply(LAMBDA x : Const(x, 1 \div 0), 3) = 3
    /\ LET bad == Head(<<>>) IN IF TRUE THEN TRUE ELSE bad = bad

ASSUME Choice ==
    /\ (CHOOSE x \in {5, 3, 4} : x > 3) = 4 /\ (CHOOSE s \in SUBSET {1, 2} : s # {}) = {1}
    /\ (CASE FALSE -> 1 [] TRUE -> 2) = 2 /\ (CASE FALSE -> 1 [] OTHER -> 3) = 3
    /\ (IF 1 \in {1} THEN "yes" ELSE "no") = "yes"
    /\ (\A x \in {} : FALSE) /\ ~ (\E x \in {} : TRUE) /\ \A x, y \in 1..3 : x + y = y + x
    /\ \E <<a, b>> \in {<<1, 2>>, <<2, 1>>} : a > b
    /\ (TRUE <=> ~ FALSE) /\ (FALSE => 1 \div 0 = 1) /\ (TRUE \/ 1 \div 0 = 1) /\ ~ (FALSE /\ 1 \div 0 = 1)

ASSUME Sequence ==
    /\ Append(<<1>>, 2) = <<1, 2>> /\ <<1>> \o <<2, 3>> = <<1, 2, 3>> /\ Head(<<1, 2>>) = 1 /\ Tail(<<1, 2>>) = <<2>>
    /\ SubSeq(<<1, 2, 3, 4>>, 2, 3) = <<2, 3>> /\ SubSeq(<<1>>, 2, 1) = <<>> /\ Len(<<1, 2>>) = 2
    /\ SelectSeq(<<1, 2, 3, 4>>, LAMBDA x : x % 2 = 0) = <<2, 4>> /\ Len("abc") = 3
    /\ SortSeq(<<3, 1, 2>>, <) = <<1, 2, 3>> /\ SortSeq(<<3, 1, 2>>, LAMBDA a, b : a > b) = <<3, 2, 1>>
    /\ Cardinality(Permutations({p, q})) = 2 /\ ToString(<<1, "a", {2, 1}>>) = "<<1, \"a\", {1, 2}>>"
    /\ (1 :> 2 @@ 1 :> 3)[1] = 2 /\ DOMAIN (p :> 1 @@ q :> 2) = {p, q}
    /\ ToString([a |-> TRUE]) = "[a |-> TRUE]" /\ Assert(TRUE, "never")
    /\ TLCSet(1, 5) /\ TLCGet(1) = 5 /\ TLCEval({1}) = {1}
==============================================================================
