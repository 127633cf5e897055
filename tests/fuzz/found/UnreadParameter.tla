---- MODULE UnreadParameter ----
\* Of constant level, since Same ignores its parameter, and it mentions a variable.
EXTENDS Integers
VARIABLE x
Same(y) == 1 = 1
Init == x = 0
Next == x' = 1 - x
Live == (LET f[i \in 0..3] == IF i = 0 THEN TRUE ELSE Same(x) IN f[1]) ~> TRUE
====
