---- MODULE Boxes ----
EXTENDS Naturals, Sequences
\* PlusCal options (nof)
(* --fair algorithm Boxes {
  variables box = [i \in 1..2 |-> [full |-> FALSE, count |-> 0]], answer = 0;
  process (filler \in 1..2) {
    put: with (i \in 1..2, n = 3 - i) {
           await ~box[i].full;
           answer := IF answer = 0
                     THEN n
                     ELSE self || box[i].full := TRUE || box[i].count := n } }
  process (emptier = 3) {
    put: with (i \in {j \in 1..2 : box[j].full}) {
           if (answer # 0) { box[i].full := FALSE || box[3 - i].count :=
                             box[i].count
                               + 1 || answer := 0 } } } } *)
\* BEGIN TRANSLATION (chksum(pcal) = "fd6456aa" /\ chksum(tla) = "60b7664c")
\* Label put of process filler at line 7 col 15 changed to put_
VARIABLES box, answer, pc

vars == << box, answer, pc >>

ProcSet == (1..2) \cup {3}

Init == (* Global variables *)
        /\ box = [i \in 1..2 |-> [full |-> FALSE, count |-> 0]]
        /\ answer = 0
        /\ pc = [self \in ProcSet |-> CASE self \in 1..2 -> "put_"
                                        [] self = 3 -> "put"]

put_(self) == /\ pc[self] = "put_"
              /\ \E i \in 1..2:
                   LET n == 3 - i IN
                     /\ ~box[i].full
                     /\ /\ answer' = (IF answer = 0
                                      THEN n
                                      ELSE self)
                        /\ box' = [box EXCEPT ![i].full = TRUE,
                                              ![i].count = n]
              /\ pc' = [pc EXCEPT ![self] = "Done"]

filler(self) == put_(self)

put == /\ pc[3] = "put"
       /\ \E i \in {j \in 1..2 : box[j].full}:
            IF answer # 0
               THEN /\ /\ answer' = 0
                       /\ box' = [box EXCEPT ![i].full = FALSE,
                                             ![3 - i].count = box[i].count
                                                                + 1]
               ELSE /\ TRUE
                    /\ UNCHANGED << box, answer >>
       /\ pc' = [pc EXCEPT ![3] = "Done"]

emptier == put

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == emptier
           \/ (\E self \in 1..2: filler(self))
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION 
====
