---------------------------- MODULE ClientServer ----------------------------
(* A server answers requests; a response goes to who asked. After "client server ae" of IC3PO. *)
CONSTANTS Node, Request, Response

VARIABLES
  sent,      \* <<n, r>>
  answered,  \* <<n, p>>: this response is on its way to n
  received,  \* <<n, p>>
  matches    \* <<r, p>>: what answers what, never changed

vars == <<sent, answered, received, matches>>

TypeOK ==
  /\ sent \subseteq Node \X Request /\ answered \subseteq Node \X Response /\ received \subseteq Node \X Response
  /\ matches \subseteq Request \X Response

Init == sent = {} /\ answered = {} /\ received = {} /\ matches \in SUBSET (Request \X Response)

Ask(n, r) ==
  /\ sent' = sent \cup {<<n, r>>}
  /\ UNCHANGED <<answered, received, matches>>

Answer(n, r, p) ==
  /\ <<n, r>> \in sent /\ <<r, p>> \in matches
  /\ answered' = answered \cup {<<n, p>>}
  /\ UNCHANGED <<sent, received, matches>>

Receive(n, p) ==
  /\ <<n, p>> \in answered
  /\ received' = received \cup {<<n, p>>}
  /\ UNCHANGED <<sent, answered, matches>>

Next ==
  \/ \E n \in Node, r \in Request : Ask(n, r) \/ \E p \in Response : Answer(n, r, p)
  \/ \E n \in Node, p \in Response : Receive(n, p)

Spec == Init /\ [][Next]_vars

\* Somebody has a response to what it did not ask.
Asked == \A n \in Node, p \in Response : <<n, p>> \in received => \E r \in Request : <<n, r>> \in sent /\ <<r, p>> \in matches
=============================================================================
