---------------------------- MODULE LocalRecursion ----------------------------
(* Recursion that uses names, definitions and operators around it. *)
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES f, path, sum
Nodes == 0..3
Fold(op(_, _), base, g(_), pick(_), S) ==
  LET walk[s \in SUBSET S] ==
        IF s = {} THEN base ELSE LET one == pick(s) IN op(g(one), walk[s \ {one}])
  IN walk[S]
Sum(h, S) == Fold(LAMBDA a, b: a + b, 0, LAMBDA i: h[i], LAMBDA s: CHOOSE e \in s : TRUE, S)
Before(a, b) ==
  LET long == Len(a)
      RECURSIVE less(_)
      less(i) == CASE i > long \/ i > Len(b) -> long <= Len(b)
                   [] a[i] # b[i] -> a[i] < b[i]
                   [] OTHER -> less(i + 1)
  IN less(1)
Reached(h, from) ==
  LET next(S) == {h[n] : n \in S}
      RECURSIVE grow(_, _)
      grow(S, steps) == LET more == next(S) \ S IN
        IF more = {} \/ steps = 0 THEN S ELSE grow(S \cup more, steps - 1)
  IN grow({from}, Cardinality(Nodes))
Init == f = [n \in Nodes |-> n] /\ path = <<>> /\ sum = 0
Turn == \E n \in Nodes, m \in {0, 3} :
          f[n] # m /\ f' = [f EXCEPT ![n] = m] /\ sum' = Sum(f', Nodes \ {m}) /\ path' = path
Walk == \E n \in Nodes : LET p == <<f[n], n>> IN Before(path, p) /\ path' = p /\ UNCHANGED <<f, sum>>
Next == Turn \/ Walk
Closed == \A n \in Nodes : \A m \in Reached(f, n) : f[m] \in Reached(f, n)
Bounded == sum <= 12 /\ sum \in {Sum(f, S) : S \in SUBSET Nodes} \cup {0}
==============================================================================
