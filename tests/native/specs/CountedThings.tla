---------------------------- MODULE CountedThings ----------------------------
(* Bags as their modules write them. *)
EXTENDS Naturals, Bags, BagsExt
VARIABLES bag, other
Things == {"bolt", "nut", "nail"}
Init == bag = EmptyBag /\ other = SetToBag({"nut"})
Put == \E t \in Things : CopiesIn(t, bag) < 2 /\ bag' = BagAdd(bag, t) /\ UNCHANGED other
Take == \E t \in Things : BagIn(t, bag) /\ bag' = BagRemove(bag, t) /\ UNCHANGED other
Pour == BagCardinality(bag (+) other) <= 4 /\ bag' = bag (+) other /\ other' = bag (-) other
Next == Put \/ Take \/ Pour
Counted == IsABag(bag) /\ BagCardinality(bag) <= 6 /\ BagToSet(bag) \subseteq Things
Poured == (bag (-) other) \sqsubseteq bag /\ bag \sqsubseteq (bag (+) other)
==============================================================================
