------------------------------ MODULE Fencing ------------------------------
EXTENDS Integers
CONSTANT Client
VARIABLES given, lease, sent

Init == given = 0 /\ lease = [c \in Client |-> 0] /\ sent = {}

\* The lock service gives a lease, with a number that rises.
Acquire(c) ==
  /\ given' = given + 1
  /\ lease' = [lease EXCEPT ![c] = given + 1]
  /\ UNCHANGED sent

\* Who has a lease, or had one and does not know that it ran out, writes under its number.
Write(c) ==
  /\ lease[c] > 0
  /\ sent' = sent \cup {[number |-> lease[c], from |-> c]}
  /\ UNCHANGED <<given, lease>>

Next == \E c \in Client : Acquire(c) \/ Write(c)

\* Two writes under one number are of one client.
OneWriter == \A m, n \in sent : m.number = n.number => m.from = n.from

Inv == OneWriter

\* The property holds at the start.
THEOREM Initially == ASSUME Init PROVE Inv
\* Every step keeps it.
THEOREM Inductive == ASSUME Inv, Next PROVE Inv'
============================================================================
