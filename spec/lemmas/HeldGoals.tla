------------------------------ MODULE HeldGoals ------------------------------
(***************************************************************************)
(* What is held: messages that all have, as far as the master knows whose  *)
(* acknowledgement it waits for. With allAck these may be acknowledged.    *)
(***************************************************************************)
EXTENDS WholeInvariant

HeldByAll(b, n) == \A s \in Union(b) : n <= IF s = b THEN DurableEnd(b) ELSE connection[b][s].ack

OnlyOneReigns == \A x, y \in Broker : Reigns(x) /\ Reigns(y) => x = y

(* On the master itself. *)
OwnAreReadable ==
  \A m \in Broker : broker[m].role = "Master" =>
    \A n \in DOMAIN Log(m) : HeldByAll(m, n) => n <= ReadLimit(m)

(* What a master holds that was deposed, on the one who reigns. *)
OthersAreBelowStart ==
  \A b, m \in Broker : Acting(b) /\ ~CanLead(b) /\ Reigns(m) /\ broker[m].role = "Master" =>
    \A n \in DOMAIN Log(b) : HeldByAll(b, n) =>
      n \in DOMAIN Log(m) /\ Log(m)[n] = Log(b)[n] /\ n <= LastStart(File(m))

(* What whichever master holds, on the one who reigns. *)
HeldAreReadable ==
  \A b, m \in Broker : broker[b].role = "Master" /\ Reigns(m) /\ broker[m].role = "Master" =>
    \A n \in DOMAIN Log(b) : HeldByAll(b, n) =>
      /\ n \in DOMAIN Log(m) /\ Log(m)[n] = Log(b)[n]
      /\ n <= ReadLimit(m) \/ n <= LastStart(File(m))

=============================================================================
