----------------------------- MODULE Structures -----------------------------
(* Values of many kinds, nested in each other. *)
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS Node, None
VARIABLES owner, queue, network, partial, history

vars == <<owner, queue, network, partial, history>>

Request == [kind : {"ask"}, from : Node, level : 0..2]
Reply == [kind : {"grant", "refuse"}, to : Node]

TypeOK ==
  /\ owner \in Node \cup {None}
  /\ \A n \in Node : queue[n] \in Seq(Request) /\ Len(queue[n]) <= 2
  /\ network \subseteq (Request \cup Reply)
  /\ DOMAIN partial \subseteq Node
  /\ history \in SUBSET (Node \X (0..2))

Init ==
  /\ owner = None
  /\ queue = [n \in Node |-> <<>>]
  /\ network = {}
  /\ partial = <<>>
  /\ history = {}

Ask(n, level) ==
  LET request == [kind |-> "ask", from |-> n, level |-> level] IN
  /\ request \notin network
  /\ Cardinality({m \in network : m.kind = "ask"}) < 1
  /\ network' = network \cup {request}
  /\ UNCHANGED <<owner, queue, partial, history>>

Receive(n) ==
  \E m \in network :
    /\ m.kind = "ask"
    /\ m.from # n
    /\ Len(queue[n]) < 1
    /\ queue' = [queue EXCEPT ![n] = Append(@, m)]
    /\ network' = network \ {m}
    /\ partial' = IF n \in DOMAIN partial THEN [partial EXCEPT ![n] = m.level] ELSE partial @@ (n :> m.level)
    /\ UNCHANGED <<owner, history>>

Decide(n) ==
  /\ queue[n] # <<>>
  /\ LET m == Head(queue[n])
         free == owner = None
         answer == [kind |-> IF free THEN "grant" ELSE "refuse", to |-> m.from]
     IN /\ owner' = IF free THEN m.from ELSE owner
        /\ network' = {x \in network : x.kind = "ask"} \cup {answer}
        /\ history' = {h \in history : h[1] # m.from} \cup {<<m.from, m.level>>}
  /\ queue' = [queue EXCEPT ![n] = Tail(@)]
  /\ UNCHANGED partial

Release == owner # None /\ owner' = None /\ UNCHANGED <<queue, network, partial, history>>

Next ==
  \/ \E n \in Node, level \in 1..2 : Ask(n, level)
  \/ \E n \in Node : Receive(n) \/ Decide(n)
  \/ Release

Spec == Init /\ [][Next]_vars

Levels == {partial[n] : n \in DOMAIN partial}
Sane == \A pair \in history : pair[2] \in 0..2 /\ Levels \subseteq 0..2
Chosen == history # {} => (CHOOSE pair \in history : \A other \in history : pair[2] >= other[2])[1] \in Node
OwnerKept == [][owner = None \/ owner' \in {owner, None}]_vars
==============================================================================
