-------------------------- MODULE GrowingFunctions --------------------------
(* Functions whose domain grows and shrinks: :>, @@, restriction. *)
EXTENDS Naturals, TLC, FiniteSets
VARIABLE f
K == 1..3
Init == f = [k \in {} |-> 0]
Put == \E k \in K, v \in 0..1 : f' = (k :> v) @@ f
Keep == \E k \in DOMAIN f : f' = f @@ (k :> 1 - f[k]) /\ f' = f
Drop == \E k \in DOMAIN f : f' = [j \in DOMAIN f \ {k} |-> f[j]]
Next == Put \/ Keep \/ Drop
Sane == \A k \in DOMAIN f : f[k] \in 0..1
Shape == DOMAIN f \subseteq K
==============================================================================
