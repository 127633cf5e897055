---------------------------- MODULE ReadingOrder ----------------------------
(* CHOOSE takes what TLC met first: of strings, of records by their fields, of functions by their arguments. *)
EXTENDS Naturals, Sequences

CONSTANTS Servers

VARIABLES words, pairs, maps, mixed, made, log

vars == <<words, pairs, maps, mixed, made, log>>

Words == {"zebra", "yak", "ant"}
Pairs == [whale : {"zebra", "ant"}, bee : Servers]
Mixed == {[whale |-> "yak", cat |-> "ant"], [whale |-> "ant", cat |-> "yak"], [bee |-> "yak", cat |-> "yak"]}

Init ==
  /\ words = Words
  /\ pairs = {p \in Pairs : p.whale = "zebra" \/ p.bee \in Servers}
  /\ maps \in SUBSET [{"zebra", "ant"} -> 0..1]
  /\ mixed = Mixed
  /\ made = (CHOOSE p \in Pairs : p.whale # "zebra" \/ p.bee # CHOOSE s \in Servers : TRUE)
  /\ log = <<>>

TakeWord == \E w \in {CHOOSE w \in words : TRUE} :
  /\ words' = words \ {w} /\ log' = Append(log, w)
  /\ UNCHANGED <<pairs, maps, mixed, made>>

TakePair == /\ pairs # {} /\ Len(log) < 3
            /\ LET p == CHOOSE p \in pairs : p.whale # "yak"
               IN pairs' = pairs \ {p} /\ log' = Append(log, p.whale)
            /\ UNCHANGED <<words, maps, mixed, made>>

TakeMap == /\ maps # {} /\ Len(log) = 0
           /\ LET f == CHOOSE f \in maps : f["ant"] + f["zebra"] # 2 \/ maps = {f}
              IN maps' = maps \ {f} /\ log' = (IF f["zebra"] = 0 THEN <<"zebra">> ELSE <<>>)
           /\ UNCHANGED <<words, pairs, mixed, made>>

TakeMixed == /\ mixed # {} /\ words = {}
             /\ LET m == CHOOSE m \in mixed : TRUE
                IN mixed' = mixed \ {m} /\ log' = <<m.cat>>
             /\ UNCHANGED <<words, pairs, maps, made>>

Next == (words # {} /\ Len(log) < 4 /\ TakeWord) \/ TakePair \/ TakeMap \/ TakeMixed

Spec == Init /\ [][Next]_vars
=============================================================================
