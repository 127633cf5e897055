--------------------------- MODULE FunctionsInside ---------------------------
(* Recursive functions inside others, and folds in what folds are given. *)
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES queue, done
Jobs == 0..2
(* `by` uses the function around it; its domain is a set of sequences, which have no end that is known. *)
Orders(S, first) ==
  LET orders[left \in SUBSET S] ==
        IF left = {} THEN {first}
        ELSE LET by == [one \in left |-> {Append(order, one) : order \in orders[left \ {one}]}]
             IN UNION {by[one] : one \in left}
  IN orders[S]
(* Two functions, of which the inner one applies both. *)
Paths(S, from) ==
  LET paths[left \in SUBSET S] ==
        LET to[n \in 0..3] == IF n = 0 THEN from
                            ELSE to[n - 1] + IF n \in left THEN Cardinality(paths[left \ {n}]) ELSE 0
        IN IF left = {} THEN {0} ELSE {to[n] : n \in left}
  IN paths[S]
Folded(op(_, _), base, sequence) ==
  LET RECURSIVE over(_, _)
      over(rest, folded) ==
        IF rest = {} THEN folded
        ELSE LET one == CHOOSE i \in rest : TRUE IN over(rest \ {one}, op(sequence[one], folded))
  IN over(DOMAIN sequence, base)
Length(sequences) == Folded(LAMBDA s, sum: sum + Folded(LAMBDA x, n: n + 1, 0, s), 0, sequences)
Weight(sequences) == Folded(LAMBDA s, sum: sum + Folded(LAMBDA x, y: 2 * x + y, 1, s), 0, sequences)
Joined(sequences) == Folded(LAMBDA s, all: all \cup Folded(LAMBDA x, some: some \cup {x}, {}, s), {}, sequences)
Init == queue = <<>> /\ done = {}
Plan == /\ queue = <<>>
        /\ \E order \in Orders(Jobs, <<>>) : queue' = order
        /\ UNCHANGED done
Do == /\ queue # <<>>
      /\ done' = (IF Cardinality(done) = 3 THEN {} ELSE done) \cup {Tail(queue)}
      /\ queue' = Tail(queue)
Next == Plan \/ Do
AllOrders == Cardinality(Orders(done, <<queue>>)) = <<1, 1, 2, 6>>[Cardinality(done) + 1]
Counted == /\ Length(<<queue, queue>>) = 2 * Len(queue)
           /\ Weight(<<queue, <<1>>>>) >= 4 + 2 * Len(queue) - 2
           /\ Joined(<<queue, Tail(<<0>> \o queue)>>) \subseteq Jobs
           /\ Paths(Joined(<<queue>>), Len(queue)) \subseteq 0..9
==============================================================================
