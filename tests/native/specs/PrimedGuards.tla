---------------------------- MODULE PrimedGuards ----------------------------
(* Conditions on next values, before and after they are chosen. *)
EXTENDS Naturals, FiniteSets
VARIABLES x, s
Init == x = 0 /\ s = {}
Rise == x' \in 0..4 /\ x' > x /\ s' = s \cup {x'} /\ Cardinality(s') <= 3
Fall == x' \in s /\ (x' < x \/ x \notin s) /\ s' = s \ {x}
Jump == s' \in SUBSET (0..2) /\ Cardinality(s') = 1 /\ (\E n \in s' : n # x /\ x' = n)
Next == Rise \/ Fall \/ Jump
TypeOK == x \in 0..4 /\ s \subseteq 0..4
==============================================================================
