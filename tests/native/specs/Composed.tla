------------------------------- MODULE Composed -------------------------------
(* Steps made of two actions and of three: what they are called, what they change, and how many states TLC counts. *)
EXTENDS Naturals, Sequences
CONSTANT Most
VARIABLES a, b, log
vars == <<a, b, log>>
Init == a = 0 /\ b = [k \in 1..2 |-> 0] /\ log = <<>>
Add(d) == a + d <= Most /\ a' = a + d /\ UNCHANGED <<b, log>>
Settle == \E k \in 1..2 : b' = [b EXCEPT ![k] = a] /\ UNCHANGED a /\ log' = log
Note == Len(log) < 2 /\ log' = Append(log, b[1] + a) /\ UNCHANGED <<a, b>>
Forget == log' = <<>> /\ a' = (IF Len(log) > 1 THEN 0 ELSE a) /\ b' = b
Both == \E d \in 1..2 : Add(d) \cdot Settle
Three == (Add(1) \cdot Settle) \cdot Note
Late == Add(2) \cdot (\E k \in {1} : (Settle \cdot Note))
Known == a' = 0 /\ (Note \cdot Forget)
Twice(d) == Add(d) \cdot (Add(d) \/ Note)
Put(x) == Add(1) \cdot (b' = [b EXCEPT ![1] = x] /\ UNCHANGED <<a, log>>)
PutOn(y) == Put(y)
PutMore(y) == LET z == y + 1 IN PutOn(z)
Next == PutOn(a) \/ PutMore(a) \/ Both \/ Three \/ Late \/ Known \/ (\E d \in 1..2 : Twice(d)) \/ (Forget /\ a > 1)
Open == (a' = a + 1 /\ b' = b) \cdot Note
NextOpen == Next \/ (a = Most /\ Open)
NextStuck == Both \/ (a < Most /\ Three)
Small == a < Most
Inside == Len(log) < 2
==============================================================================
