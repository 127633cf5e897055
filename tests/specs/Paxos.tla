-------------------------------- MODULE Paxos --------------------------------
(* Single-decree Paxos, told from "Paxos Made Simple": ballots are numbers, messages stay in the network for ever. *)
EXTENDS Integers

CONSTANTS Acceptors, Values, Quorums, Ballots

ASSUME \A q, r \in Quorums : q \subseteq Acceptors /\ q \cap r # {}

VARIABLES
  promised,  \* the highest ballot each acceptor has promised, -1 for none
  accepted,  \* the last vote of each acceptor: ballot and value
  network

vars == <<promised, accepted, network>>

None == CHOOSE v : v \notin Values
NoVote == [ballot |-> -1, value |-> None]

Send(m) == network' = network \cup {m}

Init ==
  /\ promised = [a \in Acceptors |-> -1]
  /\ accepted = [a \in Acceptors |-> NoVote]
  /\ network = {}

AskPromise(b) ==
  /\ Send([type |-> "1a", ballot |-> b])
  /\ UNCHANGED <<promised, accepted>>

Promise(a) ==
  \E m \in network :
    /\ m.type = "1a"
    /\ m.ballot > promised[a]
    /\ promised' = [promised EXCEPT ![a] = m.ballot]
    /\ Send([type |-> "1b", from |-> a, ballot |-> m.ballot, vote |-> accepted[a]])
    /\ UNCHANGED accepted

AskVote(b, v) ==
  /\ ~ \E m \in network : m.type = "2a" /\ m.ballot = b
  /\ \E q \in Quorums :
       LET replies == {m \in network : m.type = "1b" /\ m.ballot = b /\ m.from \in q}
           votes == {m.vote : m \in {r \in replies : r.vote.ballot >= 0}}
       IN  /\ \A a \in q : \E m \in replies : m.from = a
           /\ \/ votes = {}
              \/ \E w \in votes : w.value = v /\ \A u \in votes : w.ballot >= u.ballot
  /\ Send([type |-> "2a", ballot |-> b, value |-> v])
  /\ UNCHANGED <<promised, accepted>>

Vote(a) ==
  \E m \in network :
    /\ m.type = "2a"
    /\ m.ballot >= promised[a]
    /\ promised' = [promised EXCEPT ![a] = m.ballot]
    /\ accepted' = [accepted EXCEPT ![a] = [ballot |-> m.ballot, value |-> m.value]]
    /\ Send([type |-> "2b", from |-> a, ballot |-> m.ballot, value |-> m.value])

Next ==
  \/ \E b \in Ballots : AskPromise(b) \/ \E v \in Values : AskVote(b, v)
  \/ \E a \in Acceptors : Promise(a) \/ Vote(a)

Spec == Init /\ [][Next]_vars

Chosen(v) ==
  \E q \in Quorums, b \in Ballots :
    \A a \in q : [type |-> "2b", from |-> a, ballot |-> b, value |-> v] \in network

\* Two different values have been chosen.
Agreement == \A v, w \in Values : Chosen(v) /\ Chosen(w) => v = w

TypeOK ==
  /\ promised \in [Acceptors -> Ballots \cup {-1}]
  /\ accepted \in [Acceptors -> [ballot : Ballots \cup {-1}, value : Values \cup {None}]]
==============================================================================
