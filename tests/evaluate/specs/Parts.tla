-------------------------------- MODULE Parts --------------------------------
(* Names of parts of definitions. TLC finds every assumption true, too. *)
EXTENDS Integers, Sequences

One(F(_), a) == F(a)
Two(F(_, _), a, b) == F(a, b)
Three(F(_, _, _), a, b, c) == F(a, b, c)

(* The operators of a LET have names, alone and in the labels around them. *)
Shift(by, Of(_)) ==
    \A n \in 1..3, <<lo, hi>> \in {<<0, 9>>} :
        moved(n, lo, hi) :: LET a \oplus b == Of(a) + b + by
                                twice == 2 * n
                                Near(c, d) == LET far == d - c IN nearby :: c \oplus far
                            IN  Of(n) \in lo..(goal :: (hi \oplus twice))
Negative(x) == -x

ASSUME OfALet ==
    /\ Shift(100, Negative)!(1, 2, 3)!\oplus(4, 5) = 101
    /\ Shift(100, Negative)!moved(1, 2, 3)!:!\oplus(4, 5) = 101
    /\ Shift(100, Negative)!(7, 2, 3)!twice = 14
    /\ Shift(100, Negative)!(7, 2, 3)!Near(5, 8) = 98
    /\ Shift(100, Negative)!(7, 2, 3)!Near(5, 8)!:!far = 3
    /\ Shift(100, Negative)!(7, 2, 3)!Near(5, 8)!nearby = 98
    /\ Shift(100, Negative)!(7, 2, 3)!Near(5, 8)!1!<< = 5
    /\ Shift(100, Negative)!(7, 2, 9)!1!>>!>> = 100 - 9 + 14
    /\ Shift(100, Negative)!moved(7, 2, 9)!goal = 100 - 9 + 14
    /\ Shift(100, Negative)!moved(7, 2, 9)!1!<< = -7
    /\ Shift(100, Negative)!1 = 1..3
    /\ Shift(100, Negative)!2!1 = <<0, 9>>

Power(base) == LET RECURSIVE to(_)
                   to(n) == IF n = 0 THEN 1 ELSE base * to(n - 1)
                   table[n \in 0..4] == IF n = 0 THEN 1 ELSE base * table[n - 1]
               IN  <<to(3), table[3]>>

ASSUME Recursive ==
    /\ Power(2)!:!to(5) = 32
    /\ Power(2)!:!to(5)!3!2 = 16
    /\ Power(3)!:!table[4] = 81

(* Passed as operators, no step has arguments, and !@ stands for !(...). *)
Cut(below) == {x \in 1..5 : small(x) :: LET apart == below - x IN x < below /\ apart > 1}
Grid == [i \in 1..2, j \in 1..3 |-> i * j]
Mix(a) == CHOOSE v : LET Scaled(k) == a * k + v IN Scaled(1) = 0

ASSUME Passed ==
    /\ Two(Cut!@, 4, 3) = FALSE /\ Two(Cut!small, 4, 2) = TRUE
    /\ Two(Cut!@!apart, 4, 2) = 2 /\ Two(Cut!small!:!apart, 4, 2) = 2
    /\ Two(Grid!@, 20, 30) = 600
    /\ Two(Cut!small!1!<<, 7, 2) = TRUE
    /\ Three(Mix!@!Scaled, 2, 3, 5) = 13
    /\ Two(LAMBDA u, v : Cut(u)!(v)!1!2!1, 9, 3) = 6

(* Every construct and its parts. *)
Bills == <<11, <<22, 33>>>>
EXCEPTs == [Bills EXCEPT ![1] = 42]
Fields == [a |-> 10, b |-> 20, c |-> <<1, 2>>]
FieldSets == [a : {1}, b : {2}]
Dot == Fields.b
Cases == CASE FALSE -> 5 [] TRUE -> 6 [] OTHER -> 7
Chosen == Grid[1, 2]
Actions == [1]_(2) /\ <<3>>_(4)
Fair == WF_(5)(6) /\ SF_(7)(8)
Hidden == \EE h, k : h = k
Sets == {s + 1 : s \in {8}}
Functions == [{1} -> {2}]
Product == {3} \X {4} \X {5}
Squares[n \in 1..3] == n * n
Passing == One(LAMBDA z : z + 1, 2)
Ifs == IF 1 = 2 THEN "yes" ELSE "no"
THEOREM Claim == ASSUME TRUE PROVE 1 = 1
THEOREM Facts == 3 = 3 /\ 4 = 4

ASSUME Constructs ==
    /\ EXCEPTs!1 = Bills /\ EXCEPTs!<< = Bills
    /\ Fields!2 = 20 /\ FieldSets!<< = {1} /\ Fields!3 = <<1, 2>> /\ Fields!3!>> = 2
    /\ Dot!1 = Fields /\ Dot!2 = "b"
    /\ Cases!1!1 = FALSE /\ Cases!1!2 = 5 /\ Cases!2!<< = TRUE /\ Cases!3!2 = 7 /\ Cases!3!>> = 7
    /\ Chosen!1 = Grid /\ Chosen!2 = <<1, 2>> /\ Chosen!2!<< = 1
    /\ Actions!1!1 = 1 /\ Actions!1!2 = 2 /\ Actions!2!<< = 3 /\ Actions!2!>> = 4
    /\ Fair!1!1 = 5 /\ Fair!1!2 = 6 /\ Fair!2!>> = 8
    /\ Hidden!(1, 2)!<< = 1 /\ Sets!(4) = 5 /\ Sets!1 = {8}
    /\ Functions!2 = {2} /\ Functions!<<!1 = 1 /\ Product!3!1 = 5
    /\ Squares!(7) = 49 /\ Squares!1 = 1..3 /\ One(Squares!@, 8) = 64
    /\ Passing!1!(3)!<< = 3 /\ Ifs!1!<< = 1 /\ Ifs!3 = "no"
    /\ Claim!1 = TRUE /\ Claim!2 = (1 = 1) /\ Claim!2!<< = 1 /\ Facts!2!<< = 4
    /\ Bills!: = Bills

(* In the LET that defines it, and through instances. *)
ASSUME Inside ==
    \A m \in {3} :
        LET Apart(a, b) == {e \in a..b : LET Off == e - m IN Off > 0}
        IN  /\ Apart(1, 9)!1 = 1..9 /\ Apart(1, 9)!1!>> = 9 /\ Apart(1, 9)!(5)!Off = 2
            /\ Three(Apart!@!Off, 1, 9, 4) = 1 /\ Apart(1, 9)!(5) = TRUE

I == INSTANCE PartsInstanced WITH Mixed <- Mix!@!Scaled, base <- 10
J(base) == INSTANCE PartsInstanced WITH Mixed <- Mix!@!Scaled
K(Mixed(_, _, _), base) == INSTANCE PartsInstanced
ASSUME Instances ==
    /\ I!Mixes = 2 * 5 + 3 /\ I!Near(12)!1 = 3 /\ I!Near(12)!(3)!<< = 3 + 10
    /\ Two(I!Near!@, 12, 3) = FALSE /\ Two(I!Near!at, 14, 3) = FALSE /\ I!Near(2)!at(7)!>>!1 = 2
    /\ J(20)!Near(12)!at(3)!<< = 3 + 20 /\ J(20)!Local(7)!:!Add(5) = 32 /\ J(20)!Fact!named
    /\ I!Local(7)!:!Add(5) = 22 /\ Two(I!Local!:!Add, 7, 5) = 22 /\ I!Nested!Further(1)!at(2)!<< = 1002
    /\ K(Mix!@!Scaled, 30)!Local(7)!:!Add(5) = 42 /\ K(Mix!@!Scaled, 30)!Mixes!1 = 2
=============================================================================
