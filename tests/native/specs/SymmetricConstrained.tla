------------------------ MODULE SymmetricConstrained ------------------------
(* The same state is reached by a step that an action constraint allows and by one that it cuts off; states
   are told apart by what SYMMETRY leaves of them. *)
EXTENDS Naturals, TLC
CONSTANT Node
VARIABLES at, turn
Init == at = [n \in Node |-> 0] /\ turn = 0
Step(n) == at[n] < 3 /\ at' = [at EXCEPT ![n] = @ + 1] /\ turn' = (turn + 1) % 3
Jump(n) == at[n] = 0 /\ at' = [at EXCEPT ![n] = 2] /\ turn' = (turn + 2) % 3
Skip(n) == at[n] = 1 /\ at' = [at EXCEPT ![n] = 3] /\ turn' = (turn + 2) % 3
Next == \E n \in Node : Step(n) \/ Jump(n) \/ Skip(n)
Slow == \A n \in Node : at'[n] <= at[n] + 1
Low == \E n \in Node : at[n] < 3
Symmetry == Permutations(Node)
Turns == turn < 3
=============================================================================
