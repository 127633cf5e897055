---- MODULE OneForTwo ----
\* An instance in which one variable, one state function and a constant stand for several variables.
EXTENDS Naturals
VARIABLE z
Twice == z + z
Same == INSTANCE OneForTwoPair WITH x <- z, y <- z
Sums == INSTANCE OneForTwoPair WITH x <- Twice, y <- Twice
Fixed == INSTANCE OneForTwoPair WITH x <- z, y <- 0
Init == z = 0
Next == z' = 1 - z
Spec == Init /\ [][Next]_z
FairOfSame == Same!Fair
FairOfSums == Sums!Fair
FairOfFixed == Fixed!Fair
====
