--------------------------- MODULE ActionForOperator ---------------------------
\* A constant operator to which the configuration gives an action.
EXTENDS Integers
CONSTANTS Choose(_, _)
VARIABLE x
Half(old, new) == new = old \div 2 \/ new = old + 3
Inner == INSTANCE ActionForOperatorInner
Init == x = 1
Next == x < 20 /\ Inner!Step
================================================================================
