----------------------------- MODULE MessageLock -----------------------------
(* One lock behind messages that may be delayed: request, grant, release. After the lock server of Verdi. *)
CONSTANT Client

VARIABLES
  request, grant, release,  \* from or to whom such a message is under way
  holding,                  \* who believes to hold the lock
  free                      \* whether the server has it

vars == <<request, grant, release, holding, free>>

TypeOK ==
  /\ request \subseteq Client /\ grant \subseteq Client /\ release \subseteq Client
  /\ holding \subseteq Client /\ free \in BOOLEAN

Init == request = {} /\ grant = {} /\ release = {} /\ holding = {} /\ free = TRUE

Ask(c) ==
  /\ request' = request \cup {c}
  /\ UNCHANGED <<grant, release, holding, free>>

Serve(c) ==
  /\ free /\ c \in request
  /\ free' = FALSE
  /\ request' = request \ {c}
  /\ grant' = grant \cup {c}
  /\ UNCHANGED <<release, holding>>

Take(c) ==
  /\ c \in grant
  /\ grant' = grant \ {c}
  /\ holding' = holding \cup {c}
  /\ UNCHANGED <<request, release, free>>

GiveBack(c) ==
  /\ c \in holding
  /\ holding' = holding \ {c}
  /\ release' = release \cup {c}
  /\ UNCHANGED <<request, grant, free>>

Receive(c) ==
  /\ c \in release
  /\ release' = release \ {c}
  /\ free' = TRUE
  /\ UNCHANGED <<request, grant, holding>>

Next == \E c \in Client : Ask(c) \/ Serve(c) \/ Take(c) \/ GiveBack(c) \/ Receive(c)

Spec == Init /\ [][Next]_vars

\* Two clients hold the lock.
Exclusive == \A c, d \in holding : c = d
=============================================================================
