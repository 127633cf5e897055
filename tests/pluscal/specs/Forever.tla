---- MODULE Forever ----
EXTENDS Naturals
\* each process is one step: no pc
(*--algorithm Forever {
  variables big = 0; small = 0;
  { while (TRUE) {
      either big := 5
      or     small := 3
      or     with (poured = IF big + small < 3 THEN big + small ELSE 3) {
               big := big - (poured - small);
               small := poured } } }
} *)
\* BEGIN TRANSLATION (chksum(pcal) = "e22b8ac2" /\ chksum(tla) = "23b0de75")
VARIABLES big, small

vars == << big, small >>

Init == (* Global variables *)
        /\ big = 0
        /\ small = 0

Next == \/ /\ big' = 5
           /\ small' = small
        \/ /\ small' = 3
           /\ big' = big
        \/ /\ LET poured == IF big + small < 3 THEN big + small ELSE 3 IN
                /\ big' = big - (poured - small)
                /\ small' = poured

Spec == Init /\ [][Next]_vars

\* END TRANSLATION 
====
