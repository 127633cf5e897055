---- MODULE Handover ----
EXTENDS Naturals
(* Two workers hand a token to each other, and one forgets to look.
--algorithm Handover {
  variables token = 1, busy = {};
  fair process (worker \in {1, 2}) {
    wait:  while (TRUE) {
             await token = self \/ self = 2;
             busy := busy \cup {self};
    work:    busy := busy \ {self};
             token := 3 - self } } } *)

\* Two workers at once.
Alone == busy # {1, 2}
====
