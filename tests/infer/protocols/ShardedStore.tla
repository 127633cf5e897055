---------------------------- MODULE ShardedStore ----------------------------
(* Keys with their values move between nodes; who owns a key may change its value. After "sharded kv" of Ivy. *)
CONSTANTS Node, Key, Value

VARIABLES
  table,     \* <<n, k, v>>: n has the value v of key k
  transfer,  \* <<n, k, v>>: the key is on its way to n
  owner      \* <<n, k>>

vars == <<table, transfer, owner>>

TypeOK ==
  /\ table \subseteq Node \X Key \X Value /\ transfer \subseteq Node \X Key \X Value
  /\ owner \subseteq Node \X Key

Init ==
  /\ table = {} /\ transfer = {}
  /\ owner \in SUBSET (Node \X Key)
  /\ \A n, m \in Node, k \in Key : <<n, k>> \in owner /\ <<m, k>> \in owner => n = m

Reshard(n, m, k, v) ==
  /\ <<n, k, v>> \in table
  /\ table' = table \ {<<n, k, v>>}
  /\ owner' = owner \ {<<n, k>>}
  /\ transfer' = transfer \cup {<<m, k, v>>}

Receive(n, k, v) ==
  /\ <<n, k, v>> \in transfer
  /\ transfer' = transfer \ {<<n, k, v>>}
  /\ table' = table \cup {<<n, k, v>>}
  /\ owner' = owner \cup {<<n, k>>}

Put(n, k, v) ==
  /\ <<n, k>> \in owner
  /\ table' = {t \in table : ~(t[1] = n /\ t[2] = k)} \cup {<<n, k, v>>}
  /\ UNCHANGED <<owner, transfer>>

Next ==
  \/ \E n, m \in Node, k \in Key, v \in Value : Reshard(n, m, k, v)
  \/ \E n \in Node, k \in Key, v \in Value : Receive(n, k, v) \/ Put(n, k, v)

Spec == Init /\ [][Next]_vars

\* Two nodes have a key, or one has two values of it.
OneValue ==
  \A n, m \in Node, k \in Key, v, w \in Value : <<n, k, v>> \in table /\ <<m, k, w>> \in table => n = m /\ v = w
=============================================================================
