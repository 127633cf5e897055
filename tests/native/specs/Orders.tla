-------------------------------- MODULE Orders --------------------------------
(* The orders in which each of some requests can be served: a function on requests whose values, sets of sequences of
   them, would together be longer than a value may be in machine code, and of which each is asked for by itself. *)
EXTENDS Naturals, Sequences
VARIABLE asked

Entry == [key : {"k", "l"}, value : 0..3, kind : {"read", "write"}]
Orders(S) ==
  LET orders[part \in SUBSET S] ==
        IF part = {} THEN {<< >>}
        ELSE LET ending == [x \in part |-> {Append(order, x) : order \in orders[part \ {x}]}]
             IN UNION {ending[x] : x \in part}
  IN orders[S]

Init == asked = [n \in 1..3 |-> << >>]
Next == \E n \in 1..3, entry \in Entry :
          /\ entry.value = n /\ entry.key = "k"
          /\ Len(asked[n]) < 2
          /\ asked' = [asked EXCEPT ![n] = Append(@, entry)]
Requests == {asked[n] : n \in 1..3}
EachIsServed == \A order \in Orders(Requests) : \A r \in Requests : \E i \in 1..Len(order) : order[i] = r
==============================================================================
