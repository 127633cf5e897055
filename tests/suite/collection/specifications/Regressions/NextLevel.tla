------------------------------- MODULE NextLevel -------------------------------
\* In a step TLCGet("level") is the level of the first state, primed it is that of the next one. An AXIOM is not checked.
EXTENDS Integers, TLC
VARIABLES x, y, z
ASSUME TLCGet("level") = 0
AXIOM Nothing == \A n : n + 1 = CHOOSE m : FALSE
Now == TLCGet("level")
Grown(n) == Now' - n
Init == TLCGet("level") = 0 /\ x = 0 /\ y = Now /\ z = 1
Next == /\ x < 3 /\ x' = x + 1
        /\ y' = Now
        /\ z' = Grown(0)
        /\ z' \in {TLCGet("level")'}
        /\ Grown(Now) = 1
Inv == z = TLCGet("level") /\ x + 1 = Now
Constraint == Now \in 1..4 \cup {TLCGet("level")}
Steps == Now + 1 = TLCGet("level")'
Prop == [][Steps /\ z' = Now' /\ y' = Now]_<<x, y, z>>
================================================================================
