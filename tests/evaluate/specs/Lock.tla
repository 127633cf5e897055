-------------------------------- MODULE Lock ---------------------------------
(* Clients queue for a lock; messages are records with different fields. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Client, None, Most

VARIABLES holder, queue, box, served

Message == [kind : {"ask"}, from : Client] \cup [kind : {"grant"}, to : Client, turn : Nat]

TypeOK == /\ holder \in Client \cup {None}
          /\ queue \in Seq(Client)
          /\ box \subseteq Message
          /\ served \in [Client -> 0..Most]

Init == /\ holder = None
        /\ queue = <<>>
        /\ box = {}
        /\ served = [c \in Client |-> 0]

Ask(c) == /\ served[c] < Most
          /\ c # holder
          /\ \A i \in 1..Len(queue) : queue[i] # c
          /\ [kind |-> "ask", from |-> c] \notin box
          /\ ~ \E m \in box : m.kind = "grant" /\ m.to = c
          /\ box' = box \cup {[kind |-> "ask", from |-> c]}
          /\ UNCHANGED <<holder, queue, served>>

Queue(m) == /\ m.kind = "ask"
            /\ queue' = Append(queue, m.from)
            /\ box' = box \ {m}
            /\ UNCHANGED <<holder, served>>

Grant == /\ queue # <<>>
         /\ holder = None
         /\ ~ \E m \in box : m.kind = "grant"
         /\ box' = box \cup {[kind |-> "grant", to |-> Head(queue), turn |-> Len(queue)]}
         /\ queue' = Tail(queue)
         /\ UNCHANGED <<holder, served>>

Take(c) == \E m \in box : /\ m.kind = "grant"
                          /\ m.to = c
                          /\ holder' = c
                          /\ box' = box \ {m}
                          /\ UNCHANGED <<queue, served>>

Leave(c) == /\ holder = c
            /\ holder' = None
            /\ served' = [served EXCEPT ![c] = @ + 1]
            /\ UNCHANGED <<queue, box>>

Next == \/ \E c \in Client : Ask(c) \/ Take(c) \/ Leave(c)
        \/ \E m \in box : Queue(m)
        \/ Grant

Spec == Init /\ [][Next]_<<holder, queue, box, served>>

Exclusive == Cardinality({m \in box : m.kind = "grant"} \cup {c \in Client : c = holder}) <= 1
Permute == Permutations(Client)
Total == LET S[D \in SUBSET Client] == IF D = {} THEN 0
                                       ELSE LET d == CHOOSE d \in D : TRUE IN served[d] + S[D \ {d}]
         IN  S[Client]
Few == Total <= 2
Shown == <<holder, queue, {m.kind : m \in box}, Total>>
Late == Cardinality(box') <= Cardinality(box) \/ Cardinality(box) < 2
==============================================================================
