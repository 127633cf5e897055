---- MODULE UnionOfNoBags ----
(* TLC does not ask whether what BagUnion adds up are bags. *)
EXTENDS Integers, Bags
VARIABLE x

Init == x = 0
Next == x' = 1 - x
Sum == BagUnion({EmptyBag, <<x>>}) = <<x>> /\ BagUnion({<<0, 2>>, <<-1, x>>}) = <<-1, 2 + x>>
====
