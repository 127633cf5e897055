---- MODULE OneForTwoPair ----
EXTENDS Naturals
VARIABLES x, y
Next == /\ x' = 1 - x
        /\ y' = y
Fair == WF_<<x, y>>(Next)
====
