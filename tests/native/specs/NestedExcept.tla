---------------------------- MODULE NestedExcept ----------------------------
(* EXCEPT deep inside records and functions, several at once, with @. *)
EXTENDS Naturals, Sequences
VARIABLE s
Node == {"a", "b"}
Init == s = [clock |-> 0, node |-> [n \in Node |-> [term |-> 0, log |-> <<0, 0>>, voted |-> FALSE]]]
TypeOK == s \in [clock : 0..1, node : [Node -> [term : 0..2, log : Seq(0..2), voted : BOOLEAN]]]
Tick == s.clock < 1 /\ s' = [s EXCEPT !.clock = @ + 1]
Vote(n) == ~s.node[n].voted /\ s' = [s EXCEPT !.node[n].voted = TRUE, !.node[n].term = (@ + s.clock) % 3]
Write(n) == \E i \in 1..2 : s.node[n].log[i] < 2 /\ s' = [s EXCEPT !.node[n].log[i] = @ + 1, !.clock = 0]
Copy == s' = [s EXCEPT !.node["a"] = s.node["b"], !.node["b"].voted = ~@]
Next == Tick \/ Copy \/ \E n \in Node : Vote(n) \/ Write(n)
Low == s.node["a"].log[1] + s.node["b"].log[2] <= 4
==============================================================================
