---------------------------- MODULE NextArguments ----------------------------
(* Operators that are given a variable's next value, and determine it through their parameter. *)
EXTENDS Naturals
VARIABLES x, s, last
Init == x = 0 /\ s = {} /\ last = 0
Mixed(v, old, new) == new = (v + old) % 4 /\ s' = s \cup {v}
Same(a, b) == a = b
Given(p, e) == Same(p, e)
Both(p, e, q, f) == p = e /\ q = f
Among(p, S) == p \in S
Mix == \E v \in 0..2 : Mixed(v, x, x') /\ last' = x'
Clear == s # {} /\ Given(last', x) /\ Among(x', {0, last \div 2}) /\ Same(s', {})
Rise == Same(x, last) /\ Both(x', 7, s', s) /\ Same(x' - last, 7) /\ Given(last', last)
Next == Mix \/ Clear \/ Rise
Small == x \in 0..10 /\ s \subseteq 0..2
==============================================================================
