----------------------------- MODULE LogChanges -----------------------------
(***************************************************************************)
(* What a step of ReplicatedLog may change, said a second time and from    *)
(* outside, as Changes says it of the brokers.                             *)
(***************************************************************************)
EXTENDS ReplicatedLog

\* What is decided is taken back, or decided without having been offered; a leader comes without an epoch, or a producer or a consumer is told what is not decided.
LogChanges ==
  [][/\ epoch' # epoch \/ leader' # leader =>
          /\ epoch' = epoch + 1 \/ (epoch' = epoch /\ leader' = Nobody /\ ~serving')
          /\ UNCHANGED <<offered, log, acknowledged, read>>
     /\ serving' # serving \/ offered' # offered => UNCHANGED <<log, acknowledged, read>>
     /\ offered' \in {offered, offered + 1}
     /\ SubSeq(log', 1, Len(log)) = log
     /\ \A i \in DOMAIN log' : log'[i] \in 1..offered' /\ \A j \in 1..(i - 1) : log'[j] # log'[i]
     /\ log' # log => acknowledged' # acknowledged \/ log'[1] \in read'
     /\ acknowledged \subseteq acknowledged' /\ Cardinality(acknowledged' \ acknowledged) <= 1
     /\ acknowledged' # acknowledged => UNCHANGED read
     /\ read \subseteq read' /\ acknowledged' \cup read' \subseteq In(log')]_all

=============================================================================
