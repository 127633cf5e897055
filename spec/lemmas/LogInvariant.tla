---------------------------- MODULE LogInvariant ----------------------------
(***************************************************************************)
(* The first half of the inductive invariant: why there is one master per  *)
(* epoch and why logs match, whatever is acknowledged. Rules as repaired,  *)
(* clean elections only.                                                   *)
(***************************************************************************)
EXTENDS ControllerMode

Epochs == 1..MaxEpoch

Acting(b)  == broker[b].role \in {"Promoting", "Labelled", "Master"}
Gone(b)    == broker[b].role \in {"Down", "Fenced", "Lost"}
Log(b)     == disk[b].log
File(b)    == disk[b].epochFile

AgreeUpTo(a, b, n) == \A i \in DOMAIN Log(a) \cap DOMAIN Log(b) : i <= n => Log(a)[i] = Log(b)[i]

-----------------------------------------------------------------------------
(* Who is master of which epoch *)

(* b has recorded its epoch e, or has gone on, or will never be master of it any more. *)
Passed(b, e) ==
  \/ Gone(b)
  \/ broker[b].masterEpoch > e
  \/ broker[b].masterEpoch = e /\ broker[b].role \in {"Labelled", "Master"}

ControllerNumbers ==
  /\ controller.master \in Broker \cup {NoBroker}
  /\ controller.masterEpoch \in 0..MaxEpoch
  /\ controller.master # NoBroker => controller.masterEpoch > 0
  /\ controller.sss # {} \/ controller.masterEpoch = 0
  /\ DOMAIN history.owners = Epochs

(* Nothing but brokers is in a set of brokers. *)
SetsAreOfBrokers ==
  /\ controller.sss \subseteq Broker
  /\ \A b \in Broker : broker[b].sss \subseteq Broker /\ broker[b].pending \subseteq Broker
  /\ \A n \in notices : n.sss \subseteq Broker
  /\ \A r \in requests : r.members \subseteq Broker
  /\ \A e \in Epochs : history.owners[e] \subseteq Broker

RolesAndEpochs ==
  \A b \in Broker :
    /\ Gone(b) => broker[b].masterEpoch = 0 /\ broker[b].master = NoBroker
    /\ ~Gone(b) => broker[b].masterEpoch \in 1..controller.masterEpoch /\ broker[b].master \in Broker
    /\ Acting(b) => broker[b].master = b
    /\ broker[b].role = "Slave" => broker[b].master \in Broker \ {b}

NoticesAreOld == \A n \in notices : n.epoch \in 1..controller.masterEpoch /\ n.master \in Broker

OwnersAreOld == \A e \in Epochs : history.owners[e] # {} => e <= controller.masterEpoch

(* Whoever says who is the master of an epoch says the same: the controller, the brokers, notices, history. *)
ControllerAndBrokersAgree ==
  \A b \in Broker :
    ~Gone(b) /\ broker[b].masterEpoch = controller.masterEpoch /\ controller.master # NoBroker
      => broker[b].master = controller.master
BrokersAgree ==
  \A a, b \in Broker :
    ~Gone(a) /\ ~Gone(b) /\ broker[a].masterEpoch = broker[b].masterEpoch => broker[a].master = broker[b].master
NoticesAgreeWithController ==
  \A n \in notices : n.epoch = controller.masterEpoch /\ controller.master # NoBroker => n.master = controller.master
NoticesAgreeWithBrokers ==
  \A n \in notices : \A b \in Broker : ~Gone(b) /\ broker[b].masterEpoch = n.epoch => broker[b].master = n.master
NoticesAgree == \A n, o \in notices : n.epoch = o.epoch => n.master = o.master
OwnersAgree ==
  /\ \A e \in Epochs : \A a, b \in Broker : a \in history.owners[e] /\ b \in history.owners[e] => a = b
  /\ controller.master # NoBroker => history.owners[controller.masterEpoch] \subseteq {controller.master}
  /\ \A b \in Broker : ~Gone(b) => history.owners[broker[b].masterEpoch] \subseteq {broker[b].master}
  /\ \A n \in notices : history.owners[n.epoch] \subseteq {n.master}
OwnersHavePassed == \A e \in Epochs : \A b \in history.owners[e] : Passed(b, e)

MasterIsMember == \A b \in Broker : controller.master = b => b \in controller.sss

(* Until a new master has recorded its epoch, it alone can be elected. *)
Alone(b, e) == ~Passed(b, e) => controller.sss = {b}
ElectedIsAlone == \A a \in Broker : controller.master = a => Alone(a, controller.masterEpoch)
BelievedIsAlone == \A a, b \in Broker : ~Gone(b) /\ broker[b].master = a => Alone(a, broker[b].masterEpoch)
AnnouncedIsAlone == \A a \in Broker : \A n \in notices : n.master = a => Alone(a, n.epoch)

(* Until then nothing is of its epoch or of a later one. *)
Unused(b, e) ==
  ~Passed(b, e) => \A a \in Broker : /\ \A i \in DOMAIN Log(a) : Log(a)[i].epoch < e
                                    /\ \A i \in DOMAIN File(a) : File(a)[i].epoch < e
ElectedIsUnused == \A a \in Broker : controller.master = a => Unused(a, controller.masterEpoch)
BelievedIsUnused == \A a, b \in Broker : ~Gone(b) /\ broker[b].master = a => Unused(a, broker[b].masterEpoch)
AnnouncedIsUnused == \A a \in Broker : \A n \in notices : n.master = a => Unused(a, n.epoch)

(* And nobody has acted in it or in a later one. *)
Unowned(b, e) == ~Passed(b, e) => \A f \in Epochs : f >= e => history.owners[f] = {}
ElectedIsUnowned == \A a \in Broker : controller.master = a => Unowned(a, controller.masterEpoch)
BelievedIsUnowned == \A a, b \in Broker : ~Gone(b) /\ broker[b].master = a => Unowned(a, broker[b].masterEpoch)
AnnouncedIsUnowned == \A a \in Broker : \A n \in notices : n.master = a => Unowned(a, n.epoch)

(* A request that the controller would accept was sent by a master that has recorded the epoch. *)
RequestsAreFromMasters ==
  \A r \in requests :
    /\ r.sent
    /\ r.masterEpoch <= controller.masterEpoch
    /\ \A b \in Broker :
         r.from = b /\ controller.master = b /\ r.masterEpoch = controller.masterEpoch
           => Gone(b) \/ (broker[b].role = "Master" /\ broker[b].masterEpoch = r.masterEpoch)

-----------------------------------------------------------------------------
(* Logs and epoch files *)

LogEpochsAreOld == \A a \in Broker : \A i \in DOMAIN Log(a) : Log(a)[i].epoch \in 1..controller.masterEpoch
FileEpochsAreOld == \A a \in Broker : \A i \in DOMAIN File(a) : File(a)[i].epoch \in 1..controller.masterEpoch

FilesRise ==
  \A b \in Broker : \A i, j \in DOMAIN File(b) :
    i < j => File(b)[i].epoch < File(b)[j].epoch /\ File(b)[i].start < File(b)[j].start

FilesStart == \A b \in Broker : \A i \in DOMAIN File(b) : File(b)[i].start >= 0

FilesAreCovered == \A b \in Broker : Up(b) => \A i \in DOMAIN File(b) : File(b)[i].start <= Len(Log(b))

LabelsOf(b) ==
  \A i \in DOMAIN Log(b) : \E k \in DOMAIN File(b) :
    /\ File(b)[k].start < i
    /\ \A l \in DOMAIN File(b) : l > k => i <= File(b)[l].start
    /\ File(b)[k].epoch = Log(b)[i].epoch

FilesLabel == \A b \in Broker : LabelsOf(b)

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
  \A s \in Broker :
    /\ link[s] # NoBroker => link[s] \in Broker
    /\ \A m \in Broker : link[s] = m =>
         /\ broker[m].role = "Master"
         /\ broker[s].role = "Slave"
         /\ broker[s].master = m

SlavesFollow ==
  \A s, m \in Broker : link[s] = m => Len(Log(s)) <= Len(Log(m)) /\ AgreeUpTo(s, m, Len(Log(s)))

(* A slave's file says what its master's says; the last entry may be overtaken while nothing is of its epoch.
   The last line is a case of the one before it, and names what a proof needs. *)
SlaveFilesFollow ==
  \A s, m \in Broker : link[s] = m =>
    /\ \A i \in DOMAIN File(s) :
         /\ i <= Len(File(m))
         /\ File(m)[i].start = File(s)[i].start
         /\ \/ File(m)[i].epoch = File(s)[i].epoch
            \/ File(m)[i].epoch > File(s)[i].epoch /\ File(s)[i].start = Len(Log(s))
    /\ \A i \in DOMAIN File(m) : File(m)[i].start < Len(Log(s)) => i <= Len(File(s))
    /\ Len(File(s)) < Len(File(m)) => File(m)[Len(File(s)) + 1].start >= Len(Log(s))

=============================================================================
