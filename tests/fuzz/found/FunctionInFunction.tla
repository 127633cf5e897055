---- MODULE FunctionInFunction ----
(* A recursive function whose rule has another one in a LET, which applies the outer one: TLC follows both, so there are
   as many ways to go on as the outer one has. Here it was one way, since the inner rule was looked at by itself. *)
EXTENDS Integers
VARIABLE x

Outer[n \in 0..3] ==
    IF n = 0 THEN TRUE \/ TRUE
    ELSE LET inner[m \in 0..3] == IF m = 0 THEN Outer[n - 1] ELSE inner[m - 1] IN inner[2]

Init == x = 0
Next == Outer[2] /\ x' = 1 - x
====
