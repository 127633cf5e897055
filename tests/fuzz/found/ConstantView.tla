---- MODULE ConstantView ----
\* A VIEW that is the same in every state: with it a search ends after one state, and finds nothing wrong.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 4
Small == x < 3
Shown == <<(-1)^1>>
====
