---- MODULE Operators ----
(* What operators of standard modules find wrong has messages of its own in TLC. *)
EXTENDS Integers, Sequences, FiniteSets
VARIABLE x
Init == x = 0
Wrong(truth) == truth /\ x' = x + 1
LessThanASet == Wrong(x < {})
HeadOfNothing == Wrong(Head(<<>>) = x)
LengthOfANumber == Wrong(Len(3) = x)
DividedByZero == Wrong(1 \div x = 1)
Elements == Wrong(Cardinality(x) = 1)
Outside == Wrong(SubSeq(<<1>>, 1, 3) = <<>>)
Sum == Wrong(x + TRUE = 1)
IsSum == x + TRUE = 1
Later == x = 0 \/ x + TRUE = 1
Always == [][x < {}]_x
Up == x < 3 /\ x' = x + 1
====
