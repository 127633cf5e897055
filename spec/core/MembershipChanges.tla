-------------------------- MODULE MembershipChanges --------------------------
(***************************************************************************)
(* Why a master of Membership may ask for another set, said a second time  *)
(* and from outside, as Changes says it where proposals have a budget.     *)
(***************************************************************************)
EXTENDS Membership

\* A master asks for another set though nobody has fallen behind or caught up, or again for its own though nobody whom it proposed is missing, or a member is behind.
ProposalsChange ==
  [][\A r \in requests' \ requests :
       LET b         == r.from
           set       == broker[b].sss
           behind(s) == ~connection[b][s].open \/ connection[b][s].ack < EndOfLog(b)
       IN /\ broker[b].role = "Master" /\ r.sssEpoch = broker[b].sssEpoch /\ r.masterEpoch = broker[b].masterEpoch
          /\ r.members \subseteq broker'[b].pending
          /\ \/ r.members # set /\ r.members = set \ { s \in set \ {b} : behind(s) }
             \/ \E s \in Broker \ set : r.members = set \cup {s} /\ connection[b][s].open
             \/ /\ r.members = set /\ \E s \in broker[b].pending \ set : behind(s)
                /\ \A s \in set \ {b} : ~behind(s)]_vars

=============================================================================
