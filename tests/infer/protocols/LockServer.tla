----------------------------- MODULE LockServer -----------------------------
(* Locks, each kept by a server of its own; a client that connects to a free one holds it until it disconnects.
   After the lock server of Verdi and Ivy. *)
CONSTANTS Client, Server

VARIABLES
  free,  \* the servers that hold their own lock
  link   \* who is connected to whom

vars == <<free, link>>

TypeOK == free \subseteq Server /\ link \subseteq Client \X Server

Init == free = Server /\ link = {}

Connect(c, s) ==
  /\ s \in free
  /\ link' = link \cup {<<c, s>>}
  /\ free' = free \ {s}

Disconnect(c, s) ==
  /\ <<c, s>> \in link
  /\ link' = link \ {<<c, s>>}
  /\ free' = free \cup {s}

Next == \E c \in Client, s \in Server : Connect(c, s) \/ Disconnect(c, s)

Spec == Init /\ [][Next]_vars

\* Two clients hold one lock.
Exclusive == \A c, d \in Client, s \in Server : <<c, s>> \in link /\ <<d, s>> \in link => c = d
=============================================================================
