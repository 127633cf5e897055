---------------------------- MODULE ReadingOrder ----------------------------
(* Equations that TLC finds true, and a model whose counts and verdict follow from what CHOOSE takes: all depend on
   the order in which TLC first meets strings, model values and fields. *)
EXTENDS Integers, Sequences, ReadingOrderExtended, FiniteSets, TLC

CONSTANTS Servers, Nobody, Marks

VARIABLES left, taken

RECURSIVE InOrder(_)
InOrder(S) == IF S = {} THEN <<>> ELSE LET x == CHOOSE y \in S : TRUE IN <<x>> \o InOrder(S \ {x})

Other == INSTANCE ReadingOrderInstanced

(* Names are met while a file is parsed, and so come before strings that are not names. *)
ASSUME InOrder({"zoo", "zebra", "taken", "left", "Marks", "InOrder"}) =
  <<"Marks", "left", "taken", "InOrder", "zoo", "zebra">>

(* Strings of modules that this one needs are met earlier, and so are the words of modules of TLC. *)
ASSUME InOrder({"yard", "seq", "extended second", "extended first", "instanced", "val", "m"}) =
  <<"m", "seq", "val", "extended first", "extended second", "instanced", "yard">>

(* What the configuration says comes first. *)
ASSUME InOrder(Servers)[1] = Nobody \/ InOrder(Servers)[2] = Nobody
ASSUME InOrder(Marks \cup {"left", "zoo"}) = InOrder(Marks) \o <<"left", "zoo">>
ASSUME InOrder(Marks) = <<"mark two", "mark one", "mark three">>

(* The set of a comprehension is read before its expression. *)
ASSUME {<<"in the expression", x>> : x \in {"in the set", "in the set too"}} # {}
ASSUME InOrder({"in the set too", "in the expression", "in the set"}) =
  <<"in the set", "in the set too", "in the expression">>

(* Records are ordered by their fields in that order; so are functions by their arguments. *)
ASSUME [whale |-> 1, ant |-> 2] # [whale |-> 2, ant |-> 1]
ASSUME (CHOOSE r \in [whale : 1..2, ant : 1..2] : r.whale # r.ant) = [whale |-> 1, ant |-> 2]
ASSUME InOrder({[ant |-> 1, whale |-> 2], [ant |-> 2, whale |-> 1]}) =
  <<[ant |-> 2, whale |-> 1], [ant |-> 1, whale |-> 2]>>
ASSUME (CHOOSE f \in [{"zoo", "yard"} -> 1..2] : f["zoo"] # f["yard"]) = ("zoo" :> 1 @@ "yard" :> 2)
ASSUME InOrder({"yard" :> 1 @@ "zoo" :> 2, "yard" :> 2 @@ "zoo" :> 1}) =
  <<"yard" :> 2 @@ "zoo" :> 1, "yard" :> 1 @@ "zoo" :> 2>>
ASSUME InOrder(SUBSET {"zebra", "zoo"}) = <<{}, {"zoo"}, {"zebra"}, {"zoo", "zebra"}>>
ASSUME InOrder({"zoo", "zebra"} \X {"yard", "zoo"}) =
  <<<<"zoo", "zoo">>, <<"zoo", "yard">>, <<"zebra", "zoo">>, <<"zebra", "yard">>>>

Init == left = Servers /\ taken = <<>>

(* Whether nobody can be taken twice depends on when it is taken. *)
Next ==
  /\ left # {}
  /\ LET s == CHOOSE x \in left : TRUE
     IN \/ left' = left \ {s} /\ taken' = Append(taken, s)
        \/ s = Nobody /\ Len(taken) % 2 = 0 /\ left' = left \ {s} /\ taken' = Append(Append(taken, s), s)

Spec == Init /\ [][Next]_<<left, taken>>

NobodyIsFirst == taken = <<>> \/ taken[1] = Nobody
=============================================================================
