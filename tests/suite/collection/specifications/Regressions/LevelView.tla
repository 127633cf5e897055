------------------------------- MODULE LevelView -------------------------------
\* Validation of a recorded run: the view has the level, so that a state may come twice.
EXTENDS Integers, Sequences, TLC
VARIABLE light
Log == <<"on", "off", "on", "off">>
Init == light = "off"
Next == light' \in {"on", "off"}
Matches == LET i == TLCGet("level") IN i <= Len(Log) /\ light' = Log[i]
View == <<light, TLCGet("level")>>
Accepted == TLCGet("stats").diameter - 1 = Len(Log)
================================================================================
