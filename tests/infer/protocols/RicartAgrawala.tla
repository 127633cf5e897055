--------------------------- MODULE RicartAgrawala ---------------------------
(* Mutual exclusion by requests and replies, without time stamps: who wants to enter needs a reply of all others.
   After the abstraction of Ricart and Agrawala's algorithm that DuoAI and IC3PO use. *)
CONSTANT Node

VARIABLES
  requested,  \* <<n, m>>: n has asked m
  replied,    \* <<n, m>>: n has allowed m
  inside

vars == <<requested, replied, inside>>

TypeOK == requested \subseteq Node \X Node /\ replied \subseteq Node \X Node /\ inside \subseteq Node

Init == requested = {} /\ replied = {} /\ inside = {}

Request(n, m) ==
  /\ n # m /\ <<n, m>> \notin requested
  /\ requested' = requested \cup {<<n, m>>}
  /\ UNCHANGED <<replied, inside>>

Reply(n, m) ==
  /\ n # m /\ n \notin inside
  /\ <<n, m>> \notin replied /\ <<m, n>> \in requested /\ <<m, n>> \notin replied
  /\ requested' = requested \ {<<m, n>>}
  /\ replied' = replied \cup {<<n, m>>}
  /\ UNCHANGED inside

Enter(n) ==
  /\ \A m \in Node : m # n => <<m, n>> \in replied
  /\ inside' = inside \cup {n}
  /\ UNCHANGED <<requested, replied>>

Leave(n) ==
  /\ n \in inside
  /\ inside' = inside \ {n}
  /\ replied' = {r \in replied : r[2] # n}
  /\ UNCHANGED requested

Next == (\E n, m \in Node : Request(n, m) \/ Reply(n, m)) \/ (\E n \in Node : Enter(n) \/ Leave(n))

Spec == Init /\ [][Next]_vars

\* Two nodes are inside.
Exclusive == \A n, m \in Node : n \in inside /\ m \in inside => n = m
=============================================================================
