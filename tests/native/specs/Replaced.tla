------------------------------ MODULE Replaced ------------------------------
(* Functions of which a step changes some elements: in place, across words, twice the same, at no key, and read again. *)
EXTENDS Integers, Sequences

Keys == {"a", "b", "c"}

VARIABLES
  row,    \* records of more than a word together
  grid,   \* functions of functions
  mark,   \* elements of some bits in one word
  turn

vars == <<row, grid, mark, turn>>

Blank == [low |-> -3, text |-> <<>>, chosen |-> {}, wide |-> 0]

TypeOK ==
  /\ row \in [Keys -> [low : -3..4, text : Seq(0..5), chosen : SUBSET (1..9), wide : 0..4000000000000000]]
  /\ grid \in [Keys -> [Keys -> 0..2]]
  /\ mark \in [0..4 -> {"no", "maybe", "yes"}]
  /\ turn \in 0..5

Init ==
  /\ row = [k \in Keys |-> Blank]
  /\ grid = [k \in Keys |-> [l \in Keys |-> 0]]
  /\ mark = [i \in 0..4 |-> "no"]
  /\ turn = 0

Deep(k) ==
  /\ turn < 3
  /\ row' = [row EXCEPT ![k].text = Append(@, turn), ![k].low = @ + Len(row[k].text), ![k].chosen = @ \cup {turn + 3}]
  /\ turn' = turn + 1
  /\ UNCHANGED <<grid, mark>>

Pair(k, l) ==
  /\ turn = 1
  /\ row' = [row EXCEPT ![k].wide = 3999999999999999, ![l].wide = @ \div 3]
  /\ grid' = [grid EXCEPT ![k][l] = (@ + 1) % 3, ![l][k] = row'[k].wide % 2]
  /\ turn' = 2
  /\ UNCHANGED mark

Mark(i) ==
  /\ turn = 2
  /\ mark' = [mark EXCEPT ![i] = IF @ = "no" THEN "maybe" ELSE "yes", ![(i + 1) % 7] = mark[0]]
  /\ turn' = IF mark'[3] = "no" THEN 3 ELSE 4
  /\ UNCHANGED <<row, grid>>

Nowhere ==
  /\ turn = 0
  /\ mark' = [mark EXCEPT ![9] = "yes"]
  /\ row' = [row EXCEPT !["d"] = Blank, !["c"].low = 1]
  /\ UNCHANGED <<grid, turn>>

Swap ==
  /\ turn > 2
  /\ row' = [row EXCEPT !["a"] = row["b"], !["b"] = row["a"]]
  /\ grid' = [grid EXCEPT !["a"] = grid["c"]]
  /\ UNCHANGED <<mark, turn>>

Off(k) == FALSE  \* an action that is switched off assigns nothing

Next ==
  \/ \E k \in Keys : Off(k)
  \/ \E k \in Keys : Deep(k)
  \/ \E k, l \in Keys : Pair(k, l)
  \/ \E i \in 0..5 : Mark(i)
  \/ Nowhere
  \/ Swap

Spec == Init /\ [][Next]_vars

OthersKept == [][turn = 0 /\ turn' = 1 => \E k \in Keys : \A l \in Keys \ {k} : row'[l] = row[l]]_vars
=============================================================================
