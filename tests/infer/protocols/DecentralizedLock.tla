-------------------------- MODULE DecentralizedLock --------------------------
(* A lock that its holder sends to whoever it likes. After "simple decentralized lock" of IC3PO. *)
CONSTANTS Node, First

ASSUME First \in Node

VARIABLES
  message,  \* <<n, m>>: the lock is under way from n to m
  holding

vars == <<message, holding>>

TypeOK == message \subseteq Node \X Node /\ holding \subseteq Node

Init == message = {} /\ holding = {First}

Send(n, m) ==
  /\ n \in holding
  /\ message' = message \cup {<<n, m>>}
  /\ holding' = holding \ {n}

Receive(n, m) ==
  /\ <<n, m>> \in message
  /\ message' = message \ {<<n, m>>}
  /\ holding' = holding \cup {m}

Next == \E n, m \in Node : Send(n, m) \/ Receive(n, m)

Spec == Init /\ [][Next]_vars

\* Two nodes hold the lock.
Exclusive == \A n, m \in Node : n \in holding /\ m \in holding => n = m
=============================================================================
