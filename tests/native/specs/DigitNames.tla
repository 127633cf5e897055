------------------------------ MODULE DigitNames ------------------------------
(* Names of every sort that begin with a digit. *)
EXTENDS Naturals
CONSTANT 0none
VARIABLES 1st, 2nd
RECURSIVE 3sum(_)
3sum(4n) == IF 4n = 0 THEN 0 ELSE 4n + 3sum(4n - 1)
5apply(6op(_), 7x) == 6op(7x)
8double(9x) == 2 * 9x
Init == 1st = 0 /\ 2nd = [1f |-> 0, 2f |-> 0none]
10step(11k) ==
  LET 12next == (1st + 11k) % 5
      13f[14x \in 0..4] == IF 14x = 0 THEN 1 ELSE 13f[14x - 1] + 14x
  IN 1st' = 12next /\ 2nd' = [1f |-> 13f[12next], 2f |-> IF 12next > 2 THEN "2b" ELSE 0none]
15more == 1st < 3 /\ 1st' = 5apply(8double, 1st) + 1 /\ 2nd' = [2nd EXCEPT !.1f = 3sum(1st)]
Next == (\E 16k \in 1..2 : 10step(16k)) \/ 15more
17small == 1st \in 0..5 /\ \A 18x \in {5apply(LAMBDA 19y: 19y + 1, 2nd.1f)} : 18x > 0
==============================================================================
