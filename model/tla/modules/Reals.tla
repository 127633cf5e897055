---------------------------------- MODULE Reals ----------------------------------
(* Declared so that specifications parse; evaluation is refused. *)
EXTENDS Integers

Real == CHOOSE S : Int \subseteq S
a / b == CHOOSE q \in Real : b * q = a
Infinity == CHOOSE v : v \notin Real
==================================================================================
