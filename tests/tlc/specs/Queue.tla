---- MODULE Queue ----
EXTENDS Naturals, Sequences
CONSTANTS Sender, Most
VARIABLES queue, sent, turned
vars == <<queue, sent, turned>>

Init == queue = <<>> /\ sent = 0 /\ turned = [s \in Sender |-> FALSE]
Put(s) == /\ Len(queue) < 2 /\ sent < Most
          /\ queue' = Append(queue, s)
          /\ sent' = sent + 1
          /\ UNCHANGED turned
Take(m) == /\ queue # <<>> /\ Head(queue) = m
           /\ queue' = Tail(queue)
           /\ turned' = [turned EXCEPT ![m] = ~@]
           /\ UNCHANGED sent
Drop == \E m \in {queue[i] : i \in 1..Len(queue)} : queue' = Tail(queue) /\ UNCHANGED <<sent, turned>>
Reset == LET all == \A s \in Sender : turned[s]
         IN /\ all
            /\ turned' = [s \in Sender |-> FALSE]
            /\ sent' = 0
            /\ UNCHANGED queue
Next == \/ \E s \in Sender : Put(s)
        \/ \E m \in {queue[i] : i \in 1..Len(queue)} : Take(m)
        \/ Drop
        \/ Reset
Spec == Init /\ [][Next]_vars

Short == Len(queue) < 3
Few == sent < 3
Grows == [][sent' >= sent \/ sent' = 0]_vars
====
