---- MODULE GuardWithoutValue ----
(* The first condition of a loop has no value for a message of another kind: TLC says so, whatever the order. *)
EXTENDS Naturals
VARIABLE msgs
Init == msgs = {[type |-> "vote", round |-> 1]}
Stop == /\ [type |-> "vote", round |-> 2] \in msgs
        /\ msgs' = msgs \cup {[type |-> "stop"]}
Vote == \E m \in msgs : m.round < 3 /\ msgs' = msgs \cup {[type |-> "vote", round |-> m.round + 1]}
Next == Stop \/ Vote
====
