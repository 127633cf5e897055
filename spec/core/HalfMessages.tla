---------------------------- MODULE HalfMessages ----------------------------
(***************************************************************************)
(* Batches end where the bytes end, not where a message ends. Here a       *)
(* message has two halves, and offsets count halves: a slave may hold the  *)
(* first half of a message when its master fails. Every name here takes    *)
(* the place of the one of Cluster, Rules or Roles without the word Half.  *)
(* Left out: residues (a truncation clears what it cuts).                  *)
(***************************************************************************)
EXTENDS ControllerMode

HalfOffset == 0..(2 * MaxPuts)

(* Positions at which a whole message ends. *)
Ends(s) == { i \in 2..Len(s) : s[i].id = s[i - 1].id }

HalfIdsIn(s) == { s[i].id : i \in Ends(s) }
HalfOffsetOf(b, id) == CHOOSE i \in Ends(disk[b].log) : disk[b].log[i].id = id

HalfAppendPut(b) ==
  /\ used.puts < MaxPuts
  /\ MayAppend(b)
  /\ LET id    == used.puts + 1
         entry == [id |-> id, epoch |-> broker[b].masterEpoch]
     IN /\ disk' = [disk EXCEPT ![b] = WithLog(@, @.log \o <<entry, entry>>)]
        /\ broker' = [broker EXCEPT ![b].waiting = @ \cup {id}]
  /\ used' = [used EXCEPT !.puts = @ + 1]
  /\ UNCHANGED <<controller, events, link, connection, requests, notices, history>>

(* truncateInvalidMsg: a new master cuts the first half of a message whose second half it never got. *)
WholeMessages(s) == IF s = <<>> \/ Len(s) \in Ends(s) THEN s ELSE Prefix(s, Len(s) - 1)
HalfLogAtPromotion(b) == WholeMessages(disk[b].log)

-----------------------------------------------------------------------------
\* A master serves from a log that ends within a message, so what it appends cannot be parsed by anybody.
LogBoundary == \A b \in Broker : broker[b].role = "Master" => WholeMessages(disk[b].log) = disk[b].log

\* A put adds something else than the two halves of the next message, a message counts as stored with one of them, or a new master cuts more or less than half a message.
HalvesChange ==
  [][/\ used'.puts # used.puts =>
          /\ used'.puts = used.puts + 1 /\ used'.puts <= MaxPuts
          /\ \E b \in Broker :
               LET half == [id |-> used'.puts, epoch |-> broker[b].masterEpoch]
               IN /\ broker[b].role = "Master" /\ broker'[b].waiting = broker[b].waiting \cup {used'.puts}
                  /\ disk'[b].log = disk[b].log \o <<half, half>>
     /\ \A b \in Broker :
          LET old == disk[b].log
              new == disk'[b].log
          IN /\ Len(new) > Len(old) => used'.puts # used.puts \/ link[b] # NoBroker
             /\ broker'[b].role = "Master" /\ broker[b].role # "Master" =>
                  new = (IF old # <<>> /\ (Len(old) = 1 \/ old[Len(old)].id # old[Len(old) - 1].id)
                         THEN SubSeq(old, 1, Len(old) - 1) ELSE old)
     /\ \A id \in history'.acked \ history.acked :
          \E b \in Broker :
            broker[b].role = "Master" /\ Cardinality({ i \in DOMAIN disk[b].log : disk[b].log[i].id = id }) = 2]_vars

=============================================================================
