------------------------------- MODULE WideKeys -------------------------------
(* Functions of few of many identities, whose values are large: maps, also where the universe is known. *)
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANT Host
VARIABLES log, seen, next

Id == [host : Host, disk : 0..40]
Init == \E h \in Host : LET id == [host |-> h, disk |-> 0]
                        IN  log = id :> <<>> /\ seen = [d \in {id} |-> [e \in {id} |-> 0]] /\ next = 1
Join == /\ next < 2
        /\ \E h \in Host : LET id == [host |-> h, disk |-> next * 17]
                           IN  /\ log' = log @@ (id :> <<>>)
                               /\ seen' = seen @@ (id :> [d \in DOMAIN log \cup {id} |-> 0])
        /\ next' = next + 1
Write == /\ \E i \in DOMAIN log : Cardinality(DOMAIN log[i]) < 2 /\ log' = [log EXCEPT ![i] = <<next>> \o @]
         /\ UNCHANGED <<seen, next>>
Read == \E i \in DOMAIN seen : \E j \in DOMAIN log :
            /\ seen' = [seen EXCEPT ![i] = (j :> Cardinality(DOMAIN log[j])) @@ @]
            /\ seen' # seen /\ UNCHANGED <<log, next>>
Next == Join \/ Write \/ Read

TypeOK == /\ DOMAIN log \subseteq Id /\ DOMAIN seen \subseteq Id /\ next \in 1..2
          /\ \A i \in DOMAIN seen : DOMAIN seen[i] \subseteq Id
===============================================================================
