-------------------------------- MODULE Wide --------------------------------
(* TypeOK is wrong about each variable: nothing may be lost for it. *)
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES count, list, bag, name

TypeOK == count \in 0..3 /\ list \in Seq(0..2) /\ Len(list) <= 2 /\ bag \subseteq {1, 2} /\ name \in {"a", "b"}

Init == count = 0 /\ list = <<>> /\ bag = {} /\ name = "a"

Count == count < 4 /\ count' = count + 1 /\ UNCHANGED <<list, bag, name>>
Extend == Len(list) < 3 /\ list' = Append(list, count) /\ UNCHANGED <<count, bag, name>>
Put == Cardinality(bag) < 2 /\ bag' = bag \cup {count} /\ UNCHANGED <<count, list, name>>
Rename == name' = (IF name = "a" THEN "b" ELSE "c") /\ name # "c" /\ UNCHANGED <<count, list, bag>>

Next == Count \/ Extend \/ Put \/ Rename
==============================================================================
