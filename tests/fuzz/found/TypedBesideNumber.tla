---- MODULE TypedBesideNumber ----
\* Machine code and the Python engine took a typed model value, as an argument, for different from a number; TLC does not compare them.
EXTENDS Integers
CONSTANT m
VARIABLE x
Init == x \in {1, 2}
Next == x' = x
Differs == [i \in {x} |-> 1] # [i \in {m} |-> 1]
====
