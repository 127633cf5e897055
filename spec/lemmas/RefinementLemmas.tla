-------------------------- MODULE RefinementLemmas --------------------------
(***************************************************************************)
(* Why ControllerMode refines ReplicatedLog, for every number of messages, *)
(* epochs and faults: the lemmas say of a step from a state in which Inv   *)
(* and ReadInv hold what RefinesLog's mapping makes of it. They speak of   *)
(* positions of logs and not of the sequence Decided, and of whichever     *)
(* member is looked at before the step and after it. How a step of         *)
(* ReplicatedLog is put together from them is in docs/proofs.md. Rules as  *)
(* repaired, allAck, clean elections only, as in InductiveInvariant.       *)
(*                                                                         *)
(* A lost disk is no exception as long as a member of the SyncStateSet has *)
(* its own. Where none has, the log is gone (PromisesAreSomewhere).        *)
(***************************************************************************)
EXTENDS ReadInvariant, HeldGoals, RefinesLog

Known(id) == id \in history.acked \cup history.consumed

(* A position of b's log is decided: the message there, or one behind it, was acknowledged or read. *)
IsDecided(b, i) == i \in DOMAIN Log(b) /\ \E j \in DOMAIN Log(b) : i <= j /\ Known(Log(b)[j].id)

DecidedOnEvery ==
  \A b, c \in Broker : CanLead(b) /\ CanLead(c) => \A i \in DOMAIN Log(b) :
    IsDecided(b, i) => i \in DOMAIN Log(c) /\ Log(c)[i] = Log(b)[i] /\ IsDecided(c, i)

DecidedInCommon == \A b \in Electable : \A i \in DOMAIN Log(b) : IsDecided(b, i) => InCommon(i)

(* The others have what m has up to n, and keep it. *)
KeptByOthers(m, n) ==
  \A b \in Broker \ {m} :
    /\ CanLead(b) => n <= disk[b].flushed /\ SameUpTo(m, b, n)
    /\ Source(b) => n <= Len(Log(b)) /\ SameUpTo(m, b, n)
    /\ Reigns(b) /\ broker[b].role = "Master" => n <= LastStart(File(b))

(* Of those whose acknowledgement a master waits for there is one all of whose acknowledgements are kept. *)
AcksAreKept ==
  \A m \in Broker : broker[m].role = "Master" /\ Union(m) # {m} =>
    \E s \in Union(m) \ {m} : KeptByOthers(m, connection[m][s].ack)

(* Why: of a master that was deposed, by the member that holds it back; *)
DeposedAcksAreKept ==
  \A m \in Broker : broker[m].role = "Master" /\ ~CanLead(m) =>
    \E s \in Union(m) \ {m} : KeptByOthers(m, connection[m][s].ack)

(* from no other than the one who reigns copies who can be elected, *)
NobodyElseIsCopied == \A m \in Broker : Reigns(m) => \A b \in Broker \ {m} : ~Reigns(b) /\ ~Source(b)

(* and it has an acknowledgement of each, of what is on the disk there: *)
AcksAreOfCandidates ==
  \A m \in Broker : Reigns(m) /\ broker[m].role = "Master" =>
    \A b \in Broker \ {m} : CanLead(b) =>
      /\ b \in Union(m)
      /\ connection[m][b].ack <= disk[b].flushed
      /\ SameUpTo(m, b, connection[m][b].ack)

(* so that the least of these is kept; *)
LowestAckIsKept ==
  \A m \in Broker : Reigns(m) /\ broker[m].role = "Master" =>
    \A s \in Union(m) \ {m} :
      (\A other \in Union(m) \ {m} : connection[m][s].ack <= connection[m][other].ack)
        => KeptByOthers(m, connection[m][s].ack)

(* and it is somebody's. *)
SomeAckIsLowest ==
  \A m \in Broker : broker[m].role = "Master" /\ Union(m) # {m} =>
    \E s \in Union(m) \ {m} : \A other \in Union(m) \ {m} : connection[m][s].ack <= connection[m][other].ack
LowestAck(m) == Minimum({ connection[m][s].ack : s \in Union(m) \ {m} })
LowestIsAnAck ==
  \A m \in Broker : broker[m].role = "Master" /\ Union(m) # {m} =>
    /\ \E s \in Union(m) \ {m} : connection[m][s].ack = LowestAck(m)
    /\ \A other \in Union(m) \ {m} : LowestAck(m) <= connection[m][other].ack

ReadableAreKept == \A b \in Broker : ReadableUpTo(b, DispatchLimit(b))

Serving == \E b \in Broker : Leads(b)

-----------------------------------------------------------------------------
\* At the start nothing can be read.
THEOREM ReadInvHoldsInitially ==
  ASSUME Init PROVE ReadInv

\* Two logs agree up to the truncation point of their files, as in InductiveInvariant.
THEOREM PointsStaySound ==
  ASSUME Before:: Inv PROVE PointsAreSound

\* What the member has acknowledged that holds a deposed master back is kept.
THEOREM WhatWasHeldBackIsKept ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, Flushed:: FlushedIsInLog,
         Connections:: ConnectionsAreOfMasters, HeldBack:: DeposedAreHeldBack
  PROVE  DeposedAcksAreKept

\* Beside the one who reigns there is none, and nobody from whom a broker copies that can be elected.
THEOREM WhoReignsIsCopied ==
  ASSUME Roles:: RolesAndEpochs, Agree:: BrokersAgree, Last:: ReigningIsLast, Members:: MembersFollow
  PROVE  NobodyElseIsCopied

\* Who can be elected has on its disk what it has acknowledged to the one who reigns, which counts on it.
THEOREM CandidatesHaveAcknowledged ==
  ASSUME Covered:: SetsAreCovered, Flushed:: FlushedIsInLog, Connections:: ConnectionsAreOfMasters, Acks:: AcksAreFlushed
  PROVE  AcksAreOfCandidates

\* The least that the others have acknowledged to the one who reigns is kept.
\* USES WhoReignsIsCopied CandidatesHaveAcknowledged
THEOREM WhatIsLowestIsKept ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, Roles:: RolesAndEpochs, Agree:: BrokersAgree,
         Covered:: SetsAreCovered, Last:: ReigningIsLast, Members:: MembersFollow,
         Connections:: ConnectionsAreOfMasters, Flushed:: FlushedIsInLog, Acks:: AcksAreFlushed
  PROVE  LowestAckIsKept

\* The least that the others have acknowledged to a master one of them has acknowledged.
THEOREM LowestIsSomeones ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, OwnSets:: MastersAreInTheirSets
  PROVE  LowestIsAnAck

\* One of the others has acknowledged no more to a master than each of them.
\* USES LowestIsSomeones
THEOREM SomeoneIsLowest ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, OwnSets:: MastersAreInTheirSets
  PROVE  SomeAckIsLowest

\* What all members of a master's set have acknowledged is kept.
\* USES WhatWasHeldBackIsKept WhatIsLowestIsKept SomeoneIsLowest
THEOREM WhatAllAcknowledgedIsKept ==
  ASSUME Holds:: Inv PROVE AcksAreKept

\* Every step keeps it.
\* USES PointsStaySound IN SlaveConnectsAndTruncates
THEOREM ReadInvIsInductive ==
  ASSUME Before:: Inv, Reads:: ReadInv, Next, AcksAfter:: AcksAreKept'
  PROVE  ReadInv'

\* What is decided is the same on every broker that can be elected.
THEOREM DecidedIsOnEvery ==
  ASSUME Holds:: Inv, Reads:: ReadInv PROVE DecidedOnEvery

\* What was acknowledged or read is decided.
THEOREM KnownIsDecided ==
  ASSUME Holds:: Inv, Reads:: ReadInv
  PROVE  \A b \in Electable : \A id \in history.acked \cup history.consumed :
           \E i \in DOMAIN Log(b) : Log(b)[i].id = id /\ IsDecided(b, i)

\* Decided messages were offered, and none stands twice.
THEOREM DecidedWereOffered ==
  ASSUME Holds:: Inv, Reads:: ReadInv
  PROVE  \A b \in Electable : \A i \in DOMAIN Log(b) :
           Log(b)[i].id \in i..used.puts /\ \A j \in DOMAIN Log(b) : Log(b)[j].id = Log(b)[i].id => j = i

\* Without a member that has its disk, what was promised is nowhere.
\* EXPECT refuted
THEOREM PromisesAreSomewhere ==
  ASSUME Holds:: Inv, Reads:: ReadInv
  PROVE  \A id \in history.acked : \E b \in Electable : \E i \in DOMAIN Log(b) : Log(b)[i].id = id

\* Inv alone says nothing of what was read.
\* EXPECT refuted
THEOREM InvSaysNothingOfReads ==
  ASSUME Holds:: Inv
  PROVE  \A b \in Electable : \A id \in history.consumed : \E i \in DOMAIN Log(b) : Log(b)[i].id = id

\* What is decided is in the beginning that all who can be elected have in common.
THEOREM DecidedIsInCommon ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, OnEvery:: DecidedOnEvery
  PROVE  DecidedInCommon

\* Who can be elected after a step could be before it, or come to be.
THEOREM ElectableCouldLead ==
  ASSUME Before:: Inv, Next
  PROVE  \A b \in Broker : (b \in Electable)' /\ controller.masterEpoch > 0 => CanLead(b)

\* What is decided stays.
THEOREM DecidedStays ==
  ASSUME Before:: Inv, Reads:: ReadInv, Next
  PROVE  \A b \in Broker : CanLead(b) /\ (b \in Electable)' =>
           \A i \in DOMAIN Log(b) : IsDecided(b, i) => i \in DOMAIN Log(b)' /\ Log(b)'[i] = Log(b)[i] /\ IsDecided(b, i)'

\* Nothing is decided but by an acknowledgement or by a consumer.
THEOREM DecidedByPromises ==
  ASSUME Before:: Inv, Reads:: ReadInv, Next, NoPromise:: UNCHANGED <<history.acked, history.consumed>>
  PROVE  \A b \in Broker : CanLead(b) /\ (b \in Electable)' =>
           \A i \in DOMAIN Log(b)' : IsDecided(b, i)' => IsDecided(b, i)

\* One variable of the log changes at a time.
THEOREM ChangesAreSteps ==
  ASSUME Before:: Inv, Next
  PROVE  /\ OfElections:: controller'.masterEpoch # controller.masterEpoch \/ controller'.master # controller.master =>
              /\ UNCHANGED <<used.puts, history.acked, history.consumed>>
              /\ \/ controller'.masterEpoch = controller.masterEpoch + 1
                 \/ controller'.masterEpoch = controller.masterEpoch /\ controller'.master = NoBroker /\ ~Serving'
         /\ OfService:: Serving' # Serving => UNCHANGED <<used.puts, history.acked, history.consumed>>
         /\ OfOffers:: used'.puts # used.puts => used'.puts = used.puts + 1 /\ UNCHANGED <<history.acked, history.consumed>>
         /\ OfProducers:: \A one, other \in history'.acked \ history.acked : one = other
         /\ KeptByProducers:: history.acked \subseteq history'.acked
         /\ OfConsumers:: history'.acked # history.acked => UNCHANGED history.consumed

\* What may be read on any broker is kept.
THEOREM WhatIsReadableIsKept ==
  ASSUME Holds:: Inv, Reads:: ReadInv PROVE ReadableAreKept

\* A consumer reads a beginning of what is decided then.
THEOREM ReadsAreBeginnings ==
  ASSUME Numbers:: ControllerNumbers, Sets:: SetsAreOfBrokers, Flushed:: FlushedIsInLog, Confirm:: ConfirmIsInLog,
         Kept:: ReadableAreKept, NEW b \in Broker, ConsumerReads(b)
  PROVE  \A c \in Electable :
           /\ DispatchLimit(b) \in DOMAIN Log(c) /\ IsDecided(c, DispatchLimit(b))'
           /\ \A id \in history'.consumed :
                id \in history.consumed \/ \E i \in 1..DispatchLimit(b) : Log(c)[i].id = id
           /\ \A j \in 1..DispatchLimit(b) : Log(c)[j].id \in history'.consumed
=============================================================================
