---- MODULE PartOfFunction ----
\* A function of constants that has no value at 1, where nobody looks.
EXTENDS Integers
VARIABLE x
f[n \in 0..2] == IF n = 0 THEN 0 ELSE CHOOSE m \in {n} : m # 1
Init == x = f[0]
Next == x' = 1 - x
Inv == x \in {f[0], f[0] + 1}
====
