-------------------------------- MODULE Lock --------------------------------
(* A lock that is given to those who wait for it in their order. *)
EXTENDS Sequences
CONSTANT Client

VARIABLES
  lock,      \* whether it is held, and by whom
  waiting,   \* a queue of clients
  served     \* who has had it

Waits(c) == \E i \in DOMAIN waiting : waiting[i] = c

Init ==
  /\ lock = [held |-> FALSE, holder |-> "nobody"]
  /\ waiting = <<>>
  /\ served = {}

Ask(c) ==
  /\ ~ Waits(c) /\ lock.holder # c
  /\ waiting' = Append(waiting, c)
  /\ UNCHANGED <<lock, served>>

Grant ==
  /\ ~ lock.held /\ waiting # <<>>
  /\ lock' = [held |-> TRUE, holder |-> Head(waiting)]
  /\ waiting' = Tail(waiting)
  /\ served' = served \cup {Head(waiting)}

GiveUp(c) ==
  /\ Waits(c)
  /\ waiting' = SelectSeq(waiting, LAMBDA other : other # c)
  /\ UNCHANGED <<lock, served>>

Release(c) ==
  /\ lock.holder = c
  /\ lock' = [held |-> FALSE, holder |-> "nobody"]
  /\ UNCHANGED <<waiting, served>>

Next == Grant \/ \E c \in Client : Ask(c) \/ GiveUp(c) \/ Release(c)
Spec == Init /\ [][Next]_<<lock, waiting, served>>
=============================================================================
