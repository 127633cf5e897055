------------------------------- MODULE Tuples -------------------------------
(* Tuples, Cartesian products, binders with patterns. *)
EXTENDS Naturals
VARIABLES pair, seen
G == (0..2) \X (0..2)
TypeOK == pair \in G /\ seen \subseteq G
Init == pair = <<0, 0>> /\ seen = {}
Go == \E <<a, b>> \in G :
  /\ a = pair[1] \/ b = pair[2]
  /\ <<a, b>> # pair
  /\ pair' = <<a, b>>
  /\ seen' = {<<p, q>> \in seen \cup {pair} : p >= q}
Next == Go
Half == \A <<a, b>> \in seen : a >= b
Mirror == {<<q[2], q[1]>> : q \in seen} \subseteq G
==============================================================================
