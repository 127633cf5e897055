------------------------------ MODULE NeverMet ------------------------------
(* What is asked of elements of sets and sequences that are always empty has a form: nothing is known of their kind. *)
EXTENDS Integers, Sequences, FiniteSets
VARIABLES x, sent, queue, done
Init == x = 0 /\ sent = {} /\ queue = <<>> /\ done = {}
Asked(r) ==
  /\ Cardinality((r.members \ {1}) \cup ({1} \ r.members)) = 1
  /\ r.members \cap {1} = {} /\ r.members \subseteq {1} /\ {1} \subseteq r.members
  /\ 1 \in r.members /\ r.members \in SUBSET {1} /\ UNION {r.members} = {1} /\ SUBSET r.members = {}
  /\ \A k \in r.members : k > x
  /\ \E k \in r.members : k > x
  /\ (CHOOSE k \in r.members : k > x) = 1
  /\ {k + 1 : k \in r.members} = {k \in r.members : k > 1}
  /\ [k \in r.members |-> 1] = <<>> /\ [r.members -> {1}] = {}
  /\ r.members \X {1} = [a : r.members]
  /\ Len(r.log) = 1 /\ Append(r.log, x) = r.log \o <<1>> /\ SubSeq(r.log, 1, 2) = Tail(r.log)
  /\ SelectSeq(r.log, LAMBDA e : e > 1) = <<>>
  /\ r.of[x] = 2 /\ [r.of EXCEPT ![1] = 2] = r.of /\ r.number + 1 > -r.number
Next ==
  \/ x < 3 /\ x' = x + 1 /\ UNCHANGED <<sent, queue, done>>
  \/ queue # <<>> /\ (\E k \in Head(queue).members : x' = k) /\ UNCHANGED <<sent, queue, done>>
  \/ queue # <<>> /\ x' \in Head(queue).members /\ UNCHANGED <<sent, queue, done>>
Inv == /\ \A r \in sent \ done : Asked(r)
       /\ queue # <<>> => Asked(Head(queue))
Steps == [][\A r \in sent' \ sent : r.members \ {x} = {}]_<<x, sent>>
=============================================================================
