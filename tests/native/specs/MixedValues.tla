----------------------------- MODULE MixedValues -----------------------------
(* A variable that is a number, a string, a record or a sequence by turns. *)
EXTENDS Naturals, Sequences
VARIABLES v, kind
Init == v = 0 /\ kind = "number"
Next ==
  \/ kind = "number" /\ v < 2 /\ v' = v + 1 /\ UNCHANGED kind
  \/ kind = "number" /\ v' = (IF v = 0 THEN [was |-> 0, n |-> 1] ELSE [was |-> 2, other |-> "x"]) /\ kind' = "record"
  \/ kind = "record" /\ v' = [was |-> (v.was + 1) % 3, n |-> 1] /\ UNCHANGED kind
  \/ kind = "record" /\ v.was > 0 /\ v' = (IF v.was = 1 THEN <<1, 2>> ELSE <<2, 1>>) /\ kind' = "sequence"
  \/ kind = "sequence" /\ (\E i \in 1..2 : v' = <<v[i], 3 - v[i]>>) /\ UNCHANGED kind
  \/ kind = "sequence" /\ v' = (IF Len(v) = 2 /\ v[1] > 1 THEN "done" ELSE "again") /\ kind' = "string"
  \/ kind = "string" /\ v = "again" /\ v' = 1 /\ kind' = "number"
Known == kind \in {"number", "record", "sequence", "string"}
==============================================================================
