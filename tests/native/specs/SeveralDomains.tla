---------------------------- MODULE SeveralDomains ----------------------------
(* DOMAIN of what may be a record of one kind or another, or a sequence. *)
EXTENDS Naturals, Sequences
VARIABLES held, log
Request == [kind : {"request"}, number : 0..1]
Answer == [kind : {"answer"}, number : 0..1, source : {"a", "b"}]
Init == held = [kind |-> "request", number |-> 0] /\ log = <<>>
Ask == held' \in Request /\ log' = log
Tell == "number" \in DOMAIN held /\ held' \in Answer /\ held'.number = held.number /\ log' = log
Keep == Len(log) < 2 /\ "source" \in DOMAIN held /\ log' = Append(log, held.source) /\ held' = held
Next == Ask \/ Tell \/ Keep
A == DOMAIN held = IF held.kind = "answer" THEN {"kind", "number", "source"} ELSE {"kind", "number"}
B == \A name \in DOMAIN held : name \in {"kind", "number", "source"}
C == ("source" \in DOMAIN held) => held.source \in {"a", "b"}
==============================================================================
