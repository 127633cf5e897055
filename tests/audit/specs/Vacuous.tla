------------------------------ MODULE Vacuous ------------------------------
(* Each kind of what an audit finds, once. *)
EXTENDS Naturals
CONSTANTS Most, Who
VARIABLES x, seen, last

vars == <<x, seen, last>>

Init == x = 0 /\ seen = 0 /\ last \in Who

Up ==
  /\ x < Most
  /\ x' = x + 1
  /\ seen' = seen
  /\ last' \in Who

Down ==
  /\ x >= 0
  /\ x = 3
  /\ x' = 0
  /\ seen' = seen
  /\ UNCHANGED last

Never ==
  /\ x > Most
  /\ UNCHANGED vars

Next == Up \/ Down \/ Never
Spec == Init /\ [][Next]_vars /\ WF_vars(Down)

TypeOK == 0 <= x /\ x <= 4 /\ last \in Who
Assumes == x = 7 => last = x
Leads == x > 9 ~> x = 0
Stays == x = 3 ~> x <= 3
=============================================================================
