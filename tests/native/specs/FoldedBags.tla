------------------------------ MODULE FoldedBags ------------------------------
(* Folds over bags of messages: some have few possible ones, others one for each number. *)
EXTENDS Integers, Sequences, Bags, BagsExt, TLC
CONSTANT Copies
VARIABLES sent, waiting, text

Messages == [from : 1..2, kind : {"ask"}] \cup [from : 1..2, kind : {"put"}, words : {<<>>, <<5>>}]
Of(i, bag) == FoldBag(LAMBDA found, m : IF m.from = i THEN BagAdd(found, m) ELSE found, EmptyBag, bag)

Init == sent = EmptyBag /\ waiting = EmptyBag /\ text = <<>>
Send == \E m \in Messages : waiting' = waiting (+) SetToBag({m}) /\ UNCHANGED <<sent, text>>
Flush == \E i \in 1..2 :
    LET own == Of(i, waiting)
    IN  sent' = own (+) sent /\ waiting' = waiting (-) own /\ UNCHANGED text
Tell == text' = FoldBag(LAMBDA said, m : Append(said, m.from), <<>>, sent) /\ UNCHANGED <<sent, waiting>>
(* A function that is no bag has no fold. *)
Break == /\ Copies > 2 /\ Len(text) = 3
         /\ text' = FoldBag(LAMBDA said, m : said, text, [m \in DOMAIN sent |-> sent[m] - 1])
         /\ UNCHANGED <<sent, waiting>>
Next == Send \/ Flush \/ Tell \/ Break

Few == BagCardinality(sent) <= Copies /\ BagCardinality(waiting) <= 2
===============================================================================
