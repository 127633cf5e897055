------------------------------- MODULE NoTypes -------------------------------
(* The common style of public specifications: no type invariant and no annotations. *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Server, Nil
VARIABLES term, role, voted, log, messages
vars == <<term, role, voted, log, messages>>
Init ==
  /\ term = [s \in Server |-> 1]
  /\ role = [s \in Server |-> "follower"]
  /\ voted = [s \in Server |-> Nil]
  /\ log = [s \in Server |-> <<>>]
  /\ messages = {}
Timeout(s) ==
  /\ term[s] < 3 /\ role' = [role EXCEPT ![s] = "candidate"]
  /\ term' = [term EXCEPT ![s] = @ + 1] /\ voted' = [voted EXCEPT ![s] = s]
  /\ messages' = messages \cup {[type |-> "vote", term |-> term'[s], from |-> s]}
  /\ UNCHANGED log
Grant(s) == \E m \in messages :
  /\ m.type = "vote" /\ m.term > term[s]
  /\ term' = [term EXCEPT ![s] = m.term] /\ voted' = [voted EXCEPT ![s] = m.from]
  /\ role' = [role EXCEPT ![s] = "follower"]
  /\ messages' = messages \cup {[type |-> "granted", term |-> m.term, from |-> s, to |-> m.from]}
  /\ UNCHANGED log
Win(s) ==
  /\ role[s] = "candidate" /\ \E m \in messages : m.type = "granted" /\ m.to = s /\ m.term = term[s]
  /\ role' = [role EXCEPT ![s] = "leader"] /\ UNCHANGED <<term, voted, log, messages>>
Append1(s) ==
  /\ role[s] = "leader" /\ Len(log[s]) < 2
  /\ log' = [log EXCEPT ![s] = Append(@, [term |-> term[s]])] /\ UNCHANGED <<term, role, voted, messages>>
Next == \E s \in Server : Timeout(s) \/ Grant(s) \/ Win(s) \/ Append1(s)
OneLeader == \A s, t \in Server : role[s] = "leader" /\ role[t] = "leader" /\ term[s] = term[t] => s = t
==============================================================================
