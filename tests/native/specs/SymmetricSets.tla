---------------------------- MODULE SymmetricSets ----------------------------
(* SYMMETRY over two sets of model values, with functions, sets and sequences of them. *)
EXTENDS Naturals, Sequences, TLC, FiniteSets
CONSTANTS C, S
VARIABLES holds, queue
Perms == Permutations(C) \cup Permutations(S)
TypeOK == holds \in [S -> SUBSET C] /\ queue \in Seq(C) /\ Len(queue) <= 2
Init == holds = [s \in S |-> {}] /\ queue = <<>>
Ask(c) == Len(queue) < 2 /\ queue' = Append(queue, c) /\ UNCHANGED holds
Give(s) == queue # <<>> /\ holds' = [holds EXCEPT ![s] = @ \cup {Head(queue)}] /\ queue' = Tail(queue)
Free(s) == Cardinality(holds[s]) > 1 /\ \E c \in holds[s] : holds' = [holds EXCEPT ![s] = @ \ {c}] /\ UNCHANGED queue
Next == (\E c \in C : Ask(c)) \/ \E s \in S : Give(s) \/ Free(s)
==============================================================================
