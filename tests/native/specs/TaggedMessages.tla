--------------------------- MODULE TaggedMessages ---------------------------
(* A network of records of several kinds: added, matched by kind, taken away. *)
EXTENDS Naturals
VARIABLES net, value, acks
P == {"p", "q"}
Message == [kind : {"ask"}, to : P, n : 0..2] \cup [kind : {"ack"}, from : P] \cup [kind : {"stop"}]
TypeOK == net \subseteq Message /\ value \in [P -> 0..2] /\ acks \subseteq P
Init == net = {} /\ value = [p \in P |-> 0] /\ acks = {}
Ask == \E p \in P, n \in 1..2 : net' = net \cup {[kind |-> "ask", to |-> p, n |-> n]} /\ UNCHANGED <<value, acks>>
Take == \E m \in net :
  /\ m.kind = "ask"
  /\ value' = [value EXCEPT ![m.to] = m.n]
  /\ net' = (net \ {m}) \cup {[kind |-> "ack", from |-> m.to]}
  /\ UNCHANGED acks
Hear == \E m \in {k \in net : k.kind = "ack"} : acks' = acks \cup {m.from} /\ net' = net \ {m} /\ UNCHANGED value
Stop == acks = P /\ net' = {[kind |-> "stop"]} /\ UNCHANGED <<value, acks>>
Next == Ask \/ Take \/ Hear \/ Stop
Heard == \A p \in acks : value[p] > 0
==============================================================================
