------------------------- MODULE InductiveInvariant -------------------------
(***************************************************************************)
(* One conjunction that every step keeps, for every number of messages,    *)
(* epochs and faults: the reason why there is one master per epoch and     *)
(* why logs match. Rules as repaired, clean elections only.                *)
(***************************************************************************)
EXTENDS ControllerMode

(* The configuration names values for the types; nothing is to be explored with it. *)
NotExplored == FALSE

Epochs == 1..MaxEpoch

Acting(b) == broker[b].role \in {"Promoting", "Labelled", "Master"}
Gone(b)   == broker[b].role \in {"Down", "Fenced", "Lost"}
Log(b)    == disk[b].log
File(b)   == disk[b].epochFile

AgreeUpTo(a, b, n) == \A i \in DOMAIN Log(a) \cap DOMAIN Log(b) : i <= n => Log(a)[i] = Log(b)[i]

-----------------------------------------------------------------------------
(* Who is master of which epoch *)

(* Someone believes, or is told, or remembers that b is the master of epoch e. *)
Names(b, e) ==
  \/ controller.master = b /\ controller.masterEpoch = e
  \/ Acting(b) /\ broker[b].masterEpoch = e
  \/ \E s \in Broker : broker[s].role = "Slave" /\ broker[s].master = b /\ broker[s].masterEpoch = e
  \/ \E n \in notices : n.master = b /\ n.epoch = e
  \/ b \in history.owners[e]

(* b has recorded its epoch e, or has gone on, or will never be master of it any more. *)
Passed(b, e) ==
  \/ Gone(b)
  \/ broker[b].masterEpoch > e
  \/ broker[b].masterEpoch = e /\ broker[b].role \in {"Labelled", "Master"}

Pending(b, e) == Names(b, e) /\ ~Passed(b, e)

ControllerNumbers ==
  /\ controller.masterEpoch \in 0..MaxEpoch
  /\ controller.master # NoBroker => controller.masterEpoch > 0
  /\ controller.sss # {} \/ controller.masterEpoch = 0
  /\ DOMAIN history.owners = Epochs

RolesAndEpochs ==
  \A b \in Broker :
    /\ Gone(b) => broker[b].masterEpoch = 0 /\ broker[b].master = NoBroker
    /\ ~Gone(b) => broker[b].masterEpoch \in 1..controller.masterEpoch
    /\ Acting(b) => broker[b].master = b
    /\ broker[b].role = "Slave" => broker[b].master \in Broker \ {b}

NoticesAreOld == \A n \in notices : n.epoch \in 1..controller.masterEpoch /\ n.master \in Broker

OwnersAreOld == \A e \in Epochs : history.owners[e] # {} => e <= controller.masterEpoch

OneNamePerEpoch == \A e \in Epochs : \A a, b \in Broker : Names(a, e) /\ Names(b, e) => a = b

MasterIsMember == controller.master # NoBroker => controller.master \in controller.sss

(* Until a new master has recorded its epoch, it alone can be elected. *)
PendingIsAlone == \A b \in Broker : \A e \in Epochs : Pending(b, e) => controller.sss = {b}

(* A request that the controller would accept was sent by a master that has recorded the epoch. *)
RequestsAreFromMasters ==
  \A r \in requests :
    /\ r.sent
    /\ r.masterEpoch <= controller.masterEpoch
    /\ r.sssEpoch <= controller.sssEpoch
    /\ r.from = controller.master /\ r.masterEpoch = controller.masterEpoch => Passed(r.from, r.masterEpoch)

-----------------------------------------------------------------------------
(* Logs and epoch files *)

LogEpochsAreOld == \A a \in Broker : \A i \in DOMAIN Log(a) : Log(a)[i].epoch \in 1..controller.masterEpoch
FileEpochsAreOld == \A a \in Broker : \A i \in DOMAIN File(a) : File(a)[i].epoch \in 1..controller.masterEpoch

(* Nothing is of an epoch that its master has not recorded yet, or of a later one. *)
PendingIsUnused ==
  \A b \in Broker : \A e \in Epochs : Pending(b, e) =>
    \A a \in Broker : /\ \A i \in DOMAIN Log(a) : Log(a)[i].epoch < e
                      /\ \A i \in DOMAIN File(a) : File(a)[i].epoch < e

PendingIsUnowned ==
  \A b \in Broker : \A e \in Epochs : Pending(b, e) => \A f \in Epochs : f >= e => history.owners[f] = {}

FilesRise ==
  \A b \in Broker : \A i, j \in DOMAIN File(b) :
    i < j => File(b)[i].epoch < File(b)[j].epoch /\ File(b)[i].start < File(b)[j].start

FilesStart == \A b \in Broker : \A i \in DOMAIN File(b) : File(b)[i].start >= 0

FilesAreCovered == \A b \in Broker : Up(b) => \A i \in DOMAIN File(b) : File(b)[i].start <= Len(Log(b))

FilesLabel ==
  \A b \in Broker : \A i \in DOMAIN Log(b) : \E k \in DOMAIN File(b) :
    /\ File(b)[k].start < i
    /\ \A l \in DOMAIN File(b) : l > k => i <= File(b)[l].start
    /\ File(b)[k].epoch = Log(b)[i].epoch

FilesAgree ==
  \A a, b \in Broker : \A i \in DOMAIN File(a), j \in DOMAIN File(b) :
    File(a)[i].epoch = File(b)[j].epoch => File(a)[i].start = File(b)[j].start

BeginningsMatch ==
  \A a, b \in Broker : \A i \in DOMAIN File(a), j \in DOMAIN File(b) :
    File(a)[i].epoch = File(b)[j].epoch => AgreeUpTo(a, b, File(a)[i].start)

LogsMatch ==
  \A a, b \in Broker : \A i \in DOMAIN Log(a) \cap DOMAIN Log(b) :
    Log(a)[i].epoch = Log(b)[i].epoch => AgreeUpTo(a, b, i)

(* A master has whatever there is of its epoch. *)
MastersHaveTheirEpoch ==
  \A b \in Broker : Acting(b) =>
    \A a \in Broker : \A i \in DOMAIN Log(a) :
      Log(a)[i].epoch = broker[b].masterEpoch => i <= Len(Log(b)) /\ Log(b)[i].epoch = broker[b].masterEpoch

(* And its file ends with it. *)
MastersRecordedTheirEpoch ==
  \A b \in Broker : broker[b].role \in {"Labelled", "Master"} =>
    File(b) # <<>> /\ File(b)[Len(File(b))].epoch = broker[b].masterEpoch

-----------------------------------------------------------------------------
(* Slaves *)

LinksAreToMasters ==
  \A s \in Broker : link[s] # NoBroker =>
    /\ link[s] \in Broker
    /\ broker[link[s]].role = "Master"
    /\ broker[s].role = "Slave"
    /\ broker[s].master = link[s]

SlavesFollow ==
  \A s, m \in Broker : link[s] = m => Len(Log(s)) <= Len(Log(m)) /\ AgreeUpTo(s, m, Len(Log(s)))

(* A slave's file says what its master's says; the last entry may be overtaken while nothing is of its epoch. *)
SlaveFilesFollow ==
  \A s, m \in Broker : link[s] = m =>
    /\ \A i \in DOMAIN File(s) :
         /\ i <= Len(File(m))
         /\ File(m)[i].start = File(s)[i].start
         /\ \/ File(m)[i].epoch = File(s)[i].epoch
            \/ File(m)[i].epoch > File(s)[i].epoch /\ File(s)[i].start = Len(Log(s))
    /\ \A i \in DOMAIN File(m) : File(m)[i].start < Len(Log(s)) => i <= Len(File(s))

-----------------------------------------------------------------------------
Inv ==
  /\ ControllerNumbers
  /\ RolesAndEpochs
  /\ NoticesAreOld
  /\ OwnersAreOld
  /\ OneNamePerEpoch
  /\ MasterIsMember
  /\ PendingIsAlone
  /\ RequestsAreFromMasters
  /\ LogEpochsAreOld
  /\ FileEpochsAreOld
  /\ PendingIsUnused
  /\ PendingIsUnowned
  /\ FilesRise
  /\ FilesStart
  /\ FilesAreCovered
  /\ FilesLabel
  /\ FilesAgree
  /\ BeginningsMatch
  /\ LogsMatch
  /\ MastersHaveTheirEpoch
  /\ MastersRecordedTheirEpoch
  /\ LinksAreToMasters
  /\ SlavesFollow
  /\ SlaveFilesFollow

-----------------------------------------------------------------------------
ASSUME Settings ==
  /\ AllAck /\ ~UncleanElection
  /\ FirstMaster = NoBroker \/ FirstMaster \in FirstSyncStateSet
  /\ FirstSyncStateSet \subseteq Broker /\ NoBroker \notin Broker
  /\ FirstMaster = NoBroker => FirstSyncStateSet = {}
  /\ MaxEpoch >= 1 /\ MaxPuts >= 0 /\ BatchSize >= 1

\* The invariant holds at the start.
THEOREM InvHoldsInitially ==
  ASSUME Init PROVE Inv

\* Every step keeps the invariant.
THEOREM InvIsInductive ==
  ASSUME Before:: Inv, Next PROVE Inv'

\* No two brokers act as masters of one epoch.
THEOREM InvImpliesOneMasterPerEpoch ==
  ASSUME Holds:: Inv PROVE OneMasterPerEpoch

\* Where two logs have the same epoch at a position, they are the same up to it.
THEOREM InvImpliesLogMatching ==
  ASSUME Holds:: Inv PROVE LogMatching

=============================================================================
