---- MODULE FunctionOnNoDomain ----
(* A model value has no DOMAIN: what is a function on it is not the empty one. *)
CONSTANT M
VARIABLE x

Same(q) == [e \in DOMAIN q |-> q[e]] = q /\ x' = x
Init == x = 0
Next == x' = x \/ \E q \in M : Same(q)
====
