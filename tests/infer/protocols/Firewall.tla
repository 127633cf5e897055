------------------------------ MODULE Firewall ------------------------------
(* A firewall lets packets from outside in where somebody inside has sent one there before. After "firewall" of IC3PO. *)
CONSTANTS Inside, Outside

VARIABLES
  sent,     \* <<n, m>>: n inside has sent a packet to m
  allowed,  \* the outside hosts from which packets are let in
  entered   \* <<m, n>>: a packet of m has come in to n

vars == <<sent, allowed, entered>>

TypeOK == sent \subseteq Inside \X Outside /\ allowed \subseteq Outside /\ entered \subseteq Outside \X Inside

Init == sent = {} /\ allowed = {} /\ entered = {}

SendOut(n, m) ==
  /\ sent' = sent \cup {<<n, m>>}
  /\ allowed' = allowed \cup {m}
  /\ UNCHANGED entered

LetIn(m, n) ==
  /\ m \in allowed
  /\ entered' = entered \cup {<<m, n>>}
  /\ UNCHANGED <<sent, allowed>>

Next == \E n \in Inside, m \in Outside : SendOut(n, m) \/ LetIn(m, n)

Spec == Init /\ [][Next]_vars

\* A packet came in from a host to which nobody had sent one.
Solicited == \A m \in Outside, n \in Inside : <<m, n>> \in entered => \E o \in Inside : <<o, m>> \in sent
=============================================================================
