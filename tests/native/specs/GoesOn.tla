---- MODULE GoesOn ----
EXTENDS Integers
VARIABLES x, y
Init == x \in 0..2 /\ y = 0
Up == x < 40 /\ x' = x + 1 /\ y' \in 0..1
Jump == x = 7 /\ x' = 30 /\ y' = 2
Next == Up \/ Jump
Small == x < 9
NoTwo == y # 2
Start == x # 1
Never == x # 13
Const == TRUE
Props == x # 2 /\ [][x' # 12]_x /\ [][y' - y < 2]_<<x, y>> /\ [](x < 35)
====
