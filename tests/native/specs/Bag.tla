--------------------------------- MODULE Bag ---------------------------------
(* Messages counted in a function from message to number. *)
EXTENDS Naturals, TLC
VARIABLE bag
M == {"m", "n"}
Count(b, m) == IF m \in DOMAIN b THEN b[m] ELSE 0
Init == bag = <<>>
Send(m) == Count(bag, m) < 3 /\ bag' = (m :> Count(bag, m) + 1) @@ bag
Receive(m) == Count(bag, m) > 0 /\ bag' = [bag EXCEPT ![m] = @ - 1]
Next == \E m \in M : Send(m) \/ Receive(m)
Bounded == \A m \in DOMAIN bag : bag[m] \in 0..3
==============================================================================
