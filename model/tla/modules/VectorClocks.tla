------------------------------ MODULE VectorClocks -------------------------------
(* Logs whose entries carry vector clocks. *)
EXTENDS Naturals, Sequences, Functions

(* What clock c says of node n; a node it has not heard of has done nothing. *)
LOCAL Known(c, n) == IF n \in DOMAIN c THEN c[n] ELSE 0
LOCAL NotAfter(c, d) == \A n \in DOMAIN c : c[n] <= Known(d, n)

(* No entry happened before one that stands earlier in the log (nor at the same time). *)
IsCausalOrder(log, clock(_)) ==
    \A i, j \in DOMAIN log : (i < j) => ~NotAfter(clock(log[j]), clock(log[i]))

(* The log in an order that is causal. clock(e) is the clock of an entry, node(e) the
   node that wrote it, domain(c) the nodes of a clock.                              *)
CausalOrder(log, clock(_), node(_), domain(_)) ==
    CHOOSE order \in [DOMAIN log -> Range(log)] :
        Range(order) = Range(log) /\ IsCausalOrder(order, clock)
==================================================================================
