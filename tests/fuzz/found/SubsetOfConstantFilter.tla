---- MODULE SubsetOfConstantFilter ----
(* A constant set that has no value is evaluated, also where no element of the set before it can be in it. *)
EXTENDS Integers
VARIABLE x

Inside == {5} \subseteq {h \in 2..3 : 10 \div (h - 2) # 5}
Init == x = 0
Next == x' = (x + 1) % 3
OneOfTwo == {Inside} # {}
====
