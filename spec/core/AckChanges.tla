----------------------------- MODULE AckChanges -----------------------------
(***************************************************************************)
(* What an acknowledgement that comes late may change, said a second time  *)
(* and from outside, as Changes says it of those that do not.              *)
(***************************************************************************)
EXTENDS LateAcks

(* The smallest offset that all have whom m waits for; none if one of them has acknowledged nothing. *)
ReachedByAll(m, acks) ==
  LET offsets == { IF x = m THEN DurableEnd(m) ELSE acks[x].ack : x \in Union(m) \cup {m} }
  IN CHOOSE least \in offsets : \A other \in offsets : least <= other

\* An acknowledgement takes back what an earlier one said, says more than the slave has, or the confirmOffset does not follow what all have acknowledged.
AcksChange ==
  [][\A m \in Broker : broker[m].role = "Master" /\ broker'[m] = broker[m] =>
       LET reached == ReachedByAll(m, connection'[m])
           kept    == disk[m].confirm
           heard   == { s \in Broker : link[s] = m /\ link'[s] = m /\ connection'[m][s].ack # connection[m][s].ack }
       IN /\ \A s \in heard : connection'[m][s].ack > connection[m][s].ack /\ connection'[m][s].ack <= DurableEnd(s)
          /\ heard # {} => disk'[m].confirm = (IF reached > kept THEN reached ELSE kept)
          /\ disk'[m].confirm > kept /\ UNCHANGED disk[m].flushed => disk'[m].confirm <= reached]_vars

=============================================================================
