---- MODULE Ticket ----
EXTENDS Integers
VARIABLES given, served
Init == given = 0 /\ served = 0
Take == given' = given + 1 /\ UNCHANGED served
Serve == served < given /\ served' = served + 1 /\ UNCHANGED given
Next == Take \/ Serve

InOrder == served <= given
Counted == given >= 0
Inv == InOrder /\ Counted

\* Every step keeps the invariant.
THEOREM InvIsInductive == ASSUME Inv, Next PROVE Inv'
\* Nobody is served who has no ticket.
THEOREM NeverAhead == ASSUME Inv PROVE given - served >= 0
====
