-------------------------------- MODULE Cases --------------------------------
(* CASE with and without OTHER, in values and in actions. *)
EXTENDS Naturals
VARIABLES x, mode
Init == x = 0 /\ mode = "up"
Step == CASE mode = "up" -> x' = x + 1 /\ mode' = (CASE x = 3 -> "down" [] x < 3 -> "up")
          [] mode = "down" /\ x > 2 -> x' = x - 2 /\ UNCHANGED mode
          [] OTHER -> x' = 0 /\ mode' \in {"up", "down"}
Next == (Step /\ x' # x) \/ (x = 0 /\ UNCHANGED <<x, mode>>)
TypeOK == x \in 0..4 /\ mode \in {"up", "down"}
Name(n) == CASE n = 0 -> "zero" [] n \in {1, 2} -> "some" [] OTHER -> "many"
Named == (Name(x) = "many") = (x > 2)
==============================================================================
