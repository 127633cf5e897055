------------------------------ MODULE Enabling ------------------------------
(* ENABLED in invariants, guards and step properties: with binders, disjunctions, LET, IF and variables left open. *)
EXTENDS Naturals, FiniteSets
CONSTANT Nodes
VARIABLES token, passed, done
vars == <<token, passed, done>>

TypeOK == token \in Nodes /\ passed \in [Nodes -> 0..2] /\ done \in BOOLEAN

Init == token \in Nodes /\ passed = [n \in Nodes |-> 0] /\ done = FALSE

Pass(n) ==
  /\ ~done /\ token = n /\ passed[n] < 2
  /\ \E m \in Nodes \ {n} : token' = m
  /\ passed' = [passed EXCEPT ![n] = @ + 1]
  /\ UNCHANGED done

Keep == LET room == {n \in Nodes : passed[n] < 2} IN Cardinality(room) > 1 /\ token' \in room

Finish ==
  /\ ~done
  /\ ~ENABLED Pass(token)
  /\ done' = TRUE
  /\ UNCHANGED <<token, passed>>

Rest == done /\ ~ENABLED (\E n \in Nodes : Pass(n)) /\ UNCHANGED vars

Next == (\E n \in Nodes : Pass(n)) \/ Finish \/ Rest

PassIsPossible == (ENABLED \E n \in Nodes : Pass(n)) <=> (~done /\ passed[token] < 2)
KeepIsPossible == (ENABLED Keep) <=> Cardinality({n \in Nodes : passed[n] < 2}) > 1
AlwaysSomething == ENABLED Next
ByCases == ENABLED (IF done THEN token' = token /\ passed' = passed ELSE Pass(token) \/ Finish)
Angle == (ENABLED <<Pass(token)>>_vars) => ~done
LeavesTheToken == [][ENABLED Pass(token) => token' # token]_vars
Spec == Init /\ [][Next]_vars
=============================================================================
