------------------------------- MODULE DieHard -------------------------------
(* Two jugs of 3 and 5 gallons, a fountain, and a need for exactly 4 gallons. *)
EXTENDS Naturals

VARIABLES small, big

Least(a, b) == IF a < b THEN a ELSE b

TypeOK == small \in 0..3 /\ big \in 0..5

Init == small = 0 /\ big = 0

FillSmall == small' = 3 /\ big' = big
FillBig == big' = 5 /\ small' = small
EmptySmall == small' = 0 /\ big' = big
EmptyBig == big' = 0 /\ small' = small
SmallToBig ==
  LET poured == Least(small, 5 - big)
  IN  /\ small' = small - poured
      /\ big' = big + poured
BigToSmall ==
  LET poured == Least(big, 3 - small)
  IN  /\ big' = big - poured
      /\ small' = small + poured

Next == FillSmall \/ FillBig \/ EmptySmall \/ EmptyBig \/ SmallToBig \/ BigToSmall

Spec == Init /\ [][Next]_<<small, big>>

\* The bomb goes off: no sequence of pourings leaves 4 gallons in the big jug.
NotSolved == big # 4
==============================================================================
