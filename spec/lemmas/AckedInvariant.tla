---------------------------- MODULE AckedInvariant ----------------------------
(***************************************************************************)
(* The second half of the inductive invariant: why what was acknowledged   *)
(* is on every broker that can be elected.                                 *)
(*                                                                         *)
(* A master that can still be a member reigns: nobody else was elected     *)
(* since, its set and its open proposals have all who can be elected, and  *)
(* what they acknowledged is on their disks. A deposed master has a member *)
(* that was elected after it, and whatever that one acknowledged to it     *)
(* before is by now below the epoch of the one who reigns.                 *)
(***************************************************************************)
EXTENDS LogInvariant

(* A request that the controller may still accept, as far as numbers tell. *)
Acceptable(r) ==
  /\ r.from = controller.master
  /\ r.masterEpoch = controller.masterEpoch
  /\ r.sssEpoch = controller.sssEpoch

Member(b)  == b \in controller.sss \/ \E r \in requests : Acceptable(r) /\ b \in r.members
CanLead(b) == broker[b].role # "Lost" /\ Member(b)
Reigns(b)  == Acting(b) /\ CanLead(b)

(* A master from which a broker that can lead copies, or will. *)
Source(m) == Acting(m) /\ \E b \in Broker : broker[b].role = "Slave" /\ broker[b].master = m /\ CanLead(b)

-----------------------------------------------------------------------------
(* Numbers of the SyncStateSet *)

SetNumbers ==
  /\ controller.sssEpoch >= 0
  /\ \A b \in Broker : broker[b].sssEpoch <= controller.sssEpoch
  /\ \A n \in notices : n.sssEpoch <= controller.sssEpoch
  /\ \A r \in requests : r.from \in Broker /\ r.sssEpoch <= controller.sssEpoch

(* A number names one set. *)
SetsAgree ==
  /\ \A b \in Broker : Acting(b) /\ broker[b].sssEpoch = controller.sssEpoch => broker[b].sss = controller.sss
  /\ \A n \in notices : n.sss = {n.master} /\ (n.sssEpoch = controller.sssEpoch => controller.sss = n.sss)

RequestNumbers ==
  \A b \in Broker : \A r \in requests :
    r.from = b /\ controller.master = b /\ r.masterEpoch = controller.masterEpoch /\ ~Gone(b)
      => r.sssEpoch <= broker[b].sssEpoch

MastersAreInTheirSets ==
  \A b \in Broker : Acting(b) =>
    /\ b \in broker[b].sss
    /\ broker[b].masterEpoch = controller.masterEpoch => b \in controller.sss

NewMastersAreAlone ==
  \A b \in Broker : broker[b].role \in {"Promoting", "Labelled"} => controller.sss = {b} /\ Union(b) = {b}

(* The one who reigns counts on everybody who can be elected. *)
SetsAreCovered ==
  \A x \in Broker : Reigns(x) =>
    /\ controller.sss \subseteq Union(x)
    /\ \A r \in requests : Acceptable(r) => r.members \subseteq Union(x)

-----------------------------------------------------------------------------
(* Who was elected since *)

(* Whoever was elected after epoch e is one of these. *)
OnlyElected(these, e) ==
  /\ controller.masterEpoch > e => controller.master \in these \cup {NoBroker}
  /\ \A a \in Broker : ~Gone(a) /\ broker[a].masterEpoch > e => broker[a].master \in these
  /\ \A n \in notices : n.epoch > e => n.master \in these

ReigningIsLast ==
  \A x \in Broker : Reigns(x) => x \in controller.sss /\ OnlyElected({x}, broker[x].masterEpoch)

(* A slave that can be elected follows the one who was elected last, unless that is itself. *)
MembersFollow ==
  \A s \in Broker : broker[s].role = "Slave" /\ CanLead(s) =>
    /\ OnlyElected({broker[s].master, s}, broker[s].masterEpoch)
    /\ \A n \in notices : n.epoch > broker[s].masterEpoch /\ n.master = s => OnlyElected({s}, n.epoch)

(* Whoever is connected to the one who reigns follows it, or will. *)
ConnectedFollow ==
  \A m, s \in Broker : Reigns(m) /\ connection[m][s].open /\ ~Gone(s) =>
    broker[s].role = "Slave" /\ broker[s].master = m /\ OnlyElected({m}, broker[s].masterEpoch)

-----------------------------------------------------------------------------
(* Connections and what is on disks *)

ConnectionsAreOfMasters ==
  \A m, s \in Broker :
    /\ connection[m][s].open => broker[m].role = "Master" /\ m # s
    /\ ~connection[m][s].open => connection[m][s].ack = -1
    /\ connection[m][s].ack <= Len(Log(m))
    /\ link[s] = m => connection[m][s].open

FlushedIsInLog ==
  \A b \in Broker :
    /\ disk[b].flushed \in 0..Len(Log(b))
    /\ MaxLosses = 0 => disk[b].flushed = Len(Log(b))

ConfirmIsInLog == \A b \in Broker : disk[b].confirm >= 0 /\ (Up(b) => disk[b].confirm <= Len(Log(b)))

(* What was acknowledged to the one who reigns is on the disk. *)
AcksAreFlushed ==
  \A m, s \in Broker : Reigns(m) /\ connection[m][s].open /\ broker[s].role # "Lost" =>
    connection[m][s].ack <= disk[s].flushed /\ AgreeUpTo(m, s, connection[m][s].ack)

(* What all have acknowledged is confirmed. *)
ConfirmFollowsAcks ==
  \A m \in Broker : broker[m].role = "Master" /\ Union(m) # {m} /\ disk[m].flushed > disk[m].confirm =>
    \E s \in Union(m) \ {m} : connection[m][s].ack <= disk[m].confirm

LabelledStartsAtEnd == \A b \in Broker : broker[b].role = "Labelled" => LastStart(File(b)) = Len(Log(b))

-----------------------------------------------------------------------------
(* Messages *)

IdsAreOld == \A a \in Broker : \A i \in DOMAIN Log(a) : Log(a)[i].id <= used.puts

IdsName ==
  \A a, b \in Broker : \A i \in DOMAIN Log(a), j \in DOMAIN Log(b) :
    Log(a)[i].id = Log(b)[j].id => i = j /\ Log(a)[i].epoch = Log(b)[j].epoch

(* The entry at n is named for itself, so that a proof finds it. *)
SameUpTo(a, b, n) == AgreeUpTo(a, b, n) /\ (n > 0 => Log(a)[n] = Log(b)[n])

(* What x has up to n is kept, whoever is elected, and nothing of it is asked for when a slave is taken into the set. *)
Kept(x, n) ==
  /\ n <= Len(Log(x))
  /\ \A b \in Broker : CanLead(b) => n <= disk[b].flushed /\ SameUpTo(x, b, n)
  /\ \A b \in Broker : Source(b) => n <= Len(Log(b)) /\ SameUpTo(x, b, n)
  /\ \A b \in Broker : Reigns(b) /\ broker[b].role \in {"Labelled", "Master"} => n <= LastStart(File(b))

(* w was elected after x, and keeps what it acknowledged to x. *)
HoldsBack(w, x) ==
  /\ Kept(x, connection[x][w].ack)
  /\ ~Gone(w) /\ broker[w].masterEpoch <= broker[x].masterEpoch
       => broker[w].role = "Slave" /\ broker[w].master = x /\ controller.sss = {w}

DeposedAreHeldBack ==
  \A x \in Broker : Acting(x) /\ ~CanLead(x) =>
    /\ broker[x].masterEpoch < controller.masterEpoch
    /\ \E w \in Union(x) \ {x} : HoldsBack(w, x)

AckedAreFlushed ==
  /\ controller.masterEpoch = 0 => history.acked = {}
  /\ \A b \in Broker : CanLead(b) =>
       \A id \in history.acked : \E i \in DOMAIN Log(b) : i <= disk[b].flushed /\ Log(b)[i].id = id

AckedAreAtSources ==
  \A m \in Broker : Source(m) => \A id \in history.acked : \E i \in DOMAIN Log(m) : Log(m)[i].id = id

AckedAreReadable ==
  \A m \in Broker : Reigns(m) /\ broker[m].role = "Master" =>
    \A id \in history.acked : \E i \in DOMAIN Log(m) :
      /\ Log(m)[i].id = id
      /\ i <= ReadLimit(m) \/ i <= LastStart(File(m))

=============================================================================
