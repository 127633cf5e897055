---------------------------- MODULE WrongArguments ----------------------------
(* An invariant's claim about a variable that an operator breaks through its parameter. *)
EXTENDS NextArguments
Tiny == x \in 0..3
==============================================================================
