------------------------------ MODULE Combinatorics ------------------------------
(* Counting. *)
EXTENDS Naturals

factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]

(* In how many ways can k of n be chosen? *)
choose(n, k) ==
    LET RECURSIVE ways(_)
        ways(j) == IF j = 0 THEN 1 ELSE (ways(j - 1) * (n + 1 - j)) \div j
    IN  IF k > n THEN 0 ELSE ways(k)
==================================================================================
