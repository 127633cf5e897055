--------------------------- MODULE FencingProved ---------------------------
EXTENDS Fencing

\* A number is used after it was given.
NumbersWereGiven ==
  /\ \A c \in Client : lease[c] <= given
  /\ \A m \in sent : 0 < m.number /\ m.number <= given
\* No two clients have one lease.
OneHolder == \A c, d \in Client : lease[c] = lease[d] /\ lease[c] > 0 => c = d
\* Who has a lease has written what was written under its number.
HolderWrote == \A c \in Client : \A m \in sent : m.number = lease[c] => m.from = c

Whole == OneWriter /\ NumbersWereGiven /\ OneHolder /\ HolderWrote

\* It holds at the start.
THEOREM WholeInitially == ASSUME Init PROVE Whole
\* Every step keeps it.
THEOREM WholeIsInductive == ASSUME Whole, Next PROVE Whole'
\* And so no number has two writers.
THEOREM WholeImpliesOneWriter == ASSUME Whole PROVE OneWriter
============================================================================
