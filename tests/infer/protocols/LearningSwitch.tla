--------------------------- MODULE LearningSwitch ---------------------------
(* Switches learn, from the packets that they see, in which direction a host is. After "learning switch" of Ivy. *)
CONSTANT Node

VARIABLES
  pending,  \* <<source, from, to>>: a packet of the source goes over this link
  route     \* <<source, n, m>>: n believes that the source is behind m

vars == <<pending, route>>

TypeOK == pending \subseteq Node \X Node \X Node /\ route \subseteq Node \X Node \X Node

Init == pending = {} /\ route = {}

Knows(s, n) == s = n \/ \E m \in Node : <<s, n, m>> \in route

Emit(s, m) ==
  /\ s # m
  /\ pending' = pending \cup {<<s, s, m>>}
  /\ UNCHANGED route

Learn(s, f, n, m) ==
  /\ <<s, f, n>> \in pending /\ ~Knows(s, n)
  /\ route' = route \cup {<<s, n, f>>}
  /\ pending' = IF m = f \/ m = n THEN pending \ {<<s, f, n>>} ELSE (pending \ {<<s, f, n>>}) \cup {<<s, n, m>>}

Drop(s, f, n) ==
  /\ <<s, f, n>> \in pending /\ Knows(s, n)
  /\ pending' = pending \ {<<s, f, n>>}
  /\ UNCHANGED route

Next ==
  \/ \E s, m \in Node : Emit(s, m)
  \/ \E s, f, n \in Node : Drop(s, f, n) \/ \E m \in Node : Learn(s, f, n, m)

Spec == Init /\ [][Next]_vars

\* Two switches send packets for a host to each other.
NoLoop == \A s, n, m \in Node : ~(<<s, n, m>> \in route /\ <<s, m, n>> \in route)
=============================================================================
