------------------------------ MODULE EpochLock ------------------------------
(* A lock that is handed over under ever greater epochs; a transfer that is too old is not accepted.
   After the distributed lock of IronFleet and Ivy. *)
EXTENDS Naturals

CONSTANTS Node, First, MaxEpoch

ASSUME First \in Node

VARIABLES
  epoch,     \* of each node the last that it has accepted
  held,      \* whether it holds the lock
  transfer,  \* <<e, n>>: the lock is on its way to n, under e
  locked     \* <<e, n>>: n has said that it has the lock under e

vars == <<epoch, held, transfer, locked>>

Epoch == 0..MaxEpoch

TypeOK ==
  /\ epoch \in [Node -> Epoch] /\ held \subseteq Node
  /\ transfer \subseteq Epoch \X Node /\ locked \subseteq Epoch \X Node

Init ==
  /\ epoch = [n \in Node |-> IF n = First THEN 1 ELSE 0]
  /\ held = {First} /\ transfer = {} /\ locked = {}

Grant(n, m, e) ==
  /\ n \in held /\ epoch[n] < e
  /\ transfer' = transfer \cup {<<e, m>>}
  /\ held' = held \ {n}
  /\ UNCHANGED <<epoch, locked>>

Accept(n, e) ==
  /\ <<e, n>> \in transfer /\ epoch[n] < e
  /\ held' = held \cup {n}
  /\ epoch' = [epoch EXCEPT ![n] = e]
  /\ locked' = locked \cup {<<e, n>>}
  /\ UNCHANGED transfer

Next == \E n \in Node, e \in Epoch : Accept(n, e) \/ \E m \in Node : Grant(n, m, e)

Spec == Init /\ [][Next]_vars

\* Two nodes had the lock under one epoch.
OnePerEpoch == \A n, m \in Node, e \in Epoch : <<e, n>> \in locked /\ <<e, m>> \in locked => n = m
=============================================================================
