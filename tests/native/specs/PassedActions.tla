---------------------------- MODULE PassedActions ----------------------------
(* Actions that are passed to operators, which say what else a step does: as the module Stuttering of tlaplus/Examples
   adds steps, and another module a history. What they assign is seen by way of the parameter alone. *)
EXTENDS Integers
VARIABLES x, y, history, stutter
vars == <<x, y>>

NoStutter(A) == stutter = "top" /\ A /\ stutter' = stutter
NoHistory(A) == A /\ UNCHANGED history
With(A, B) == A /\ B
Or(A, B) == A \/ B
If(test, A, B) == IF test THEN A ELSE B
ByOperator(F(_), e) == F(e)
Through(A) == NoHistory(NoHistory(A))
PostStutter(A, name) ==
    IF stutter = "top" THEN A /\ stutter' = name
    ELSE stutter = name /\ UNCHANGED vars /\ stutter' = "top"

Up == x < 3 /\ x' = x + 1 /\ y' = y
Down(n) == x >= n /\ x' = x - n /\ UNCHANGED y
Turn == y' = 3 - y

Plain == NoStutter(NoHistory(Up))
Twice == NoStutter(Through(Down(2)))
Later == PostStutter(Turn /\ x' = x, "turned") /\ history' = (IF stutter' = "top" THEN "came" ELSE "went")
Within == NoStutter(With(With(x' = x, y' = 7), NoHistory(x = 3)))
Either == NoStutter(NoHistory(Or(With(Turn, UNCHANGED x), Or(x = 0 /\ x' = -4, x' = 2) /\ y' = 1)))
Maybe == NoStutter(NoHistory(If(y = 7, y' = 1 /\ x' = x, x = -4 /\ y' = 2 /\ x' = 0)))
Lambda == ByOperator(LAMBDA A : NoStutter(NoHistory(A)), x = 2 /\ x' = 10 /\ y' \in {0, 30})
Back == ByOperator(NoStutter, x = 10 /\ \E n \in {0, 1} : x' = n /\ NoHistory(y' = 1 - n))

Begin(F) == F /\ history = "none"
Init == Begin(Begin(x = 0 /\ y = 1) /\ Or(stutter = "top", stutter = "turned"))
Next == Plain \/ Twice \/ Later \/ Within \/ Either \/ Maybe \/ Lambda \/ Back
Known == history \in {"none", "came", "went"}
Moves == [][NoHistory(UNCHANGED stutter) \/ Later]_<<vars, history, stutter>>
==============================================================================
