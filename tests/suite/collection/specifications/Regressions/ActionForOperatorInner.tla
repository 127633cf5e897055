------------------------ MODULE ActionForOperatorInner -------------------------
CONSTANTS Choose(_, _)
VARIABLE x
Step == Choose(x, x')
================================================================================
