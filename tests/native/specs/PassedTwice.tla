------------------------------- MODULE PassedTwice -------------------------------
(* A prime on a parameter that was passed on from another definition, more than once. *)
EXTENDS Naturals
VARIABLES a, b
Init == a = 0 /\ b = 0
Set(x) == a' = (a + 1) % 4 /\ b' = x'
PassOn(y) == Set(y)
PassMore(y) == Set(2 * y)
Test(x) == x' # x
TestOn(y) == a' = (a + 2) % 4 /\ b' = b /\ Test(y)
PassNamed(y) == LET z == y + 1 Add(i) == y + i IN PassOn(z) \/ PassOn(z)
Next == PassNamed(a) \/ PassOn(a) \/ PassMore(a) \/ TestOn(a) \/ TestOn(b)
==============================================================================
