---- MODULE Locks ----
EXTENDS Naturals, Sequences
CONSTANT Node
(*--algorithm Locks {
  variables owner = 0, queue = << >>, table = [n \in Node |-> [held |-> FALSE, times |-> 0]];
  macro take(who) { await owner = 0; owner := who }
  fair process (node \in Node)
    variables count = 0, own \in {0, 1}, last = count;
  {
    start: while (count < 2) {
      enter:+ take(self);
      table[self].held := TRUE || table[self].times := table[self].times + 1;
      with (n \in Node \ {self}, m = n) {
        await ~ table[m].held;
        last := m
      };
      leave:- if (count = 0) { owner := 0; table[self].held := FALSE }
      else {
        owner := 0;
        again: table[self].held := FALSE
      };
      next: count := count + 1
    }
  }
  fair+ process (watch = 0)
    variable count \in 1..2, seen = {};
  {
    start: either { await owner # 0; seen := seen \cup {owner} } or { skip; over: seen := {} };
    finish: while (TRUE) { queue := <<owner>>; goto start }
  }
  process (other = 3) { a: owner := owner; b: skip }
}
*)
\* BEGIN TRANSLATION (chksum(pcal) = "e81db7a9" /\ chksum(tla) = "8a321ffd")
\* Label start of process node at line 10 col 12 changed to start_
\* Process variable count of process node at line 8 col 15 changed to count_
VARIABLES owner, queue, table, pc, count_, own, last, count, seen

vars == << owner, queue, table, pc, count_, own, last, count, seen >>

ProcSet == (Node) \cup {0} \cup {3}

Init == (* Global variables *)
        /\ owner = 0
        /\ queue = << >>
        /\ table = [n \in Node |-> [held |-> FALSE, times |-> 0]]
        (* Process node *)
        /\ count_ = [self \in Node |-> 0]
        /\ own \in [Node -> {0, 1}]
        /\ last = [self \in Node |-> count_[self]]
        (* Process watch *)
        /\ count \in 1..2
        /\ seen = {}
        /\ pc = [self \in ProcSet |-> CASE self \in Node -> "start_"
                                        [] self = 0 -> "start"
                                        [] self = 3 -> "a"]

start_(self) == /\ pc[self] = "start_"
                /\ IF count_[self] < 2
                      THEN /\ pc' = [pc EXCEPT ![self] = "enter"]
                      ELSE /\ pc' = [pc EXCEPT ![self] = "Done"]
                /\ UNCHANGED << owner, queue, table, count_, own, last, count, 
                                seen >>

enter(self) == /\ pc[self] = "enter"
               /\ owner = 0
               /\ owner' = self
               /\ table' = [table EXCEPT ![self].held = TRUE,
                                         ![self].times = table[self].times + 1]
               /\ \E n \in Node \ {self}:
                    LET m == n IN
                      /\ ~ table'[m].held
                      /\ last' = [last EXCEPT ![self] = m]
               /\ pc' = [pc EXCEPT ![self] = "leave"]
               /\ UNCHANGED << queue, count_, own, count, seen >>

leave(self) == /\ pc[self] = "leave"
               /\ IF count_[self] = 0
                     THEN /\ owner' = 0
                          /\ table' = [table EXCEPT ![self].held = FALSE]
                          /\ pc' = [pc EXCEPT ![self] = "next"]
                     ELSE /\ owner' = 0
                          /\ pc' = [pc EXCEPT ![self] = "again"]
                          /\ table' = table
               /\ UNCHANGED << queue, count_, own, last, count, seen >>

again(self) == /\ pc[self] = "again"
               /\ table' = [table EXCEPT ![self].held = FALSE]
               /\ pc' = [pc EXCEPT ![self] = "next"]
               /\ UNCHANGED << owner, queue, count_, own, last, count, seen >>

next(self) == /\ pc[self] = "next"
              /\ count_' = [count_ EXCEPT ![self] = count_[self] + 1]
              /\ pc' = [pc EXCEPT ![self] = "start_"]
              /\ UNCHANGED << owner, queue, table, own, last, count, seen >>

node(self) == start_(self) \/ enter(self) \/ leave(self) \/ again(self)
                 \/ next(self)

start == /\ pc[0] = "start"
         /\ \/ /\ owner # 0
               /\ seen' = (seen \cup {owner})
               /\ pc' = [pc EXCEPT ![0] = "finish"]
            \/ /\ TRUE
               /\ pc' = [pc EXCEPT ![0] = "over"]
               /\ seen' = seen
         /\ UNCHANGED << owner, queue, table, count_, own, last, count >>

over == /\ pc[0] = "over"
        /\ seen' = {}
        /\ pc' = [pc EXCEPT ![0] = "finish"]
        /\ UNCHANGED << owner, queue, table, count_, own, last, count >>

finish == /\ pc[0] = "finish"
          /\ queue' = <<owner>>
          /\ pc' = [pc EXCEPT ![0] = "start"]
          /\ UNCHANGED << owner, table, count_, own, last, count, seen >>

watch == start \/ over \/ finish

a == /\ pc[3] = "a"
     /\ owner' = owner
     /\ pc' = [pc EXCEPT ![3] = "b"]
     /\ UNCHANGED << queue, table, count_, own, last, count, seen >>

b == /\ pc[3] = "b"
     /\ TRUE
     /\ pc' = [pc EXCEPT ![3] = "Done"]
     /\ UNCHANGED << owner, queue, table, count_, own, last, count, seen >>

other == a \/ b

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == watch \/ other
           \/ (\E self \in Node: node(self))
           \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Node : WF_vars((pc[self] # "leave") /\ node(self)) /\ SF_vars(enter(self))
        /\ SF_vars(watch)

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION 
====
