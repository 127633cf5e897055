------------------------------ MODULE Operators ------------------------------
(* Operators with parameters, higher-order and recursive ones, LET, CASE, INSTANCE, primes on parameters. *)
EXTENDS Integers, Sequences, FiniteSets
VARIABLES x, y, s

Twice(F(_), v) == F(F(v))
Bump(v) == (v + 1) % 5
Max(S) == CHOOSE m \in S : \A n \in S : n <= m
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0 ELSE LET m == Max(S) IN m + Sum(S \ {m})
Set(v, e) == v' = e
Kind(v) == CASE v < 2 -> "low" [] v < 4 -> "middle" [] OTHER -> "high"
Evens == {n \in 0..4 : n % 2 = 0}
Square == [n \in 0..4 |-> n * n]

Triangle[n \in 0..6] == IF n = 0 THEN 0 ELSE n + Triangle[n - 1]
Weight == LET W[D \in SUBSET s] == IF D = {} THEN 0 ELSE LET d == CHOOSE d \in D : TRUE IN d + x * 0 + W[D \ {d}] IN W[s]

Init == x = 0 /\ y \in {0, 3} /\ s = {}

Step == Set(x, Twice(Bump, x)) /\ UNCHANGED <<y, s>>
Fill ==
  /\ \E n \in Evens : n \notin s /\ s' = s \cup {n}
  /\ LET total == Sum(s)
         next == IF total > 4 THEN 0 ELSE y
     IN y' = next
  /\ x' \in {x, (x + Square[x]) % 5}
Shrink == Kind(x) = "middle" /\ s # {} /\ s' = s \ {Max(s)} /\ x' = y /\ y' = x
Swap == <<x, y>>' = <<x, y>> /\ s' = {4 - n : n \in s}
Order == LET Less(a, b) == a < b IN /\ Less(x, y) /\ x' = y /\ y' = x /\ UNCHANGED s

Next == Step \/ Fill \/ Shrink \/ Order

Names == {"a", "b", "c"}
Fewer == [n \in Names \ {"b"} |-> x]
Exact ==
  /\ DOMAIN Fewer = {"a", "c"}
  /\ "b" \notin DOMAIN Fewer
  /\ Cardinality([Names \ {"b"} -> {x, y}]) \in {1, 4}
  /\ {[n |-> i] : i \in 0..x} \subseteq [n : 0..4]
  /\ (Names \ {"c"}) \cup {"c"} = Names

Bounded == Sum(s) <= 6 /\ Weight = Sum(s) /\ Triangle[x] = (x * (x + 1)) \div 2 /\ \A n \in s : \E m \in SUBSET s : n \in m
==============================================================================
