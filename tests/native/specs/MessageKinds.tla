---- MODULE MessageKinds ----
(* Messages of several kinds in one set: loops that begin with what a message says of itself, sets that are put
   together of what the variable's type does not show to fit, EXCEPT and IF in what is assigned. *)
EXTENDS Naturals, FiniteSets
CONSTANTS Nodes, None, Wide
VARIABLES msgs, best, log

Kinds == {"ask", "vote"}
IsVote(m) == m.type = "vote" /\ m.round > 0
Round(m) == IF m.type = "stop" THEN 0 ELSE m.round

Init == /\ msgs = {}
        /\ best = [n \in Nodes |-> [round |-> 0, for |-> None, seen |-> {}]]
        /\ log = {}

Send(m) == msgs' = msgs \cup {m}

Ask(n) == /\ \A m \in msgs : m.type = "ask" => m.from # n
          /\ Send([type |-> "ask", from |-> n, round |-> best[n].round + 1])
          /\ UNCHANGED <<best, log>>

Vote(n) == \E m \in msgs :
             /\ m.type = "ask"
             /\ m.round > best[n].round
             /\ best' = [best EXCEPT ![n].round = m.round, ![n].for = m.from, ![n].seen = @ \cup {m.round, m.round - 1}]
             /\ msgs' = (msgs \cup {[type |-> "vote", from |-> n, to |-> m.from, round |-> m.round]})
                          \cup (IF m.from = n THEN {m} ELSE {})
             /\ UNCHANGED log

Counted(m, n) == m.type = "vote" /\ m.to = n /\ m.round = best[n].round
Decide(n) == LET votes == {m \in msgs : Counted(m, n)}
             IN  /\ Cardinality(votes) * 2 > Cardinality(Nodes)
                 /\ ~\E m \in msgs : m.type = "stop"
                 /\ LET first == CHOOSE m \in votes : IsVote(m)
                    IN  log' = IF first.from = n THEN log \cup {first, [type |-> "own"]} ELSE log \cup {first}
                 /\ Send([type |-> "stop"])
                 /\ UNCHANGED best

Apply(m, n) == /\ IsVote(m)
               /\ m.from # n
               /\ best' = [best EXCEPT ![n] = [@ EXCEPT !.round = m.round, !.for = m.to]]
               /\ UNCHANGED <<msgs, log>>
Learn(n) == \E m \in {x \in msgs : x.type \in Kinds /\ x.round > 1} \cup {x \in msgs : x.type = "vote"} : Apply(m, n)

Forget == \E m \in msgs, r \in 0..Wide :
            /\ m.type = "vote"
            /\ r > 0
            /\ m.round = r
            /\ msgs' = msgs \ {m}
            /\ UNCHANGED <<best, log>>

Next == (\E n \in Nodes : Ask(n) \/ Vote(n) \/ Decide(n) \/ Learn(n)) \/ Forget
Spec == Init /\ [][Next]_<<msgs, best, log>>

Sound == /\ \A m \in msgs : m.type = "vote" => m.from \in Nodes /\ m.round \in 1..Wide
         /\ \A n \in Nodes : best[n].for = None => best[n].round = 0
         /\ \A m \in log : m.type = "own" \/ Round(m) > 0
====
