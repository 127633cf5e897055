------------------------------- MODULE Changes -------------------------------
(***************************************************************************)
(* What a step may change, said a second time and from outside: by what is *)
(* different afterwards, not by which action it was. The properties of     *)
(* Properties say what breaks for a user; these notice a slip of the pen   *)
(* in an action of the repaired rules long before somebody would be hurt   *)
(* by it (docs/specification-mutants.md). Rules as shipped break some.     *)
(***************************************************************************)
EXTENDS DiskFaults

Ended(b)   == Up(b) /\ broker'[b].role \in {"Down", "Lost"}
Cleaned    == used'.cleans # used.cleans
Elected    == ~Cleaned /\ controller'.masterEpoch # controller.masterEpoch
Stored     == ~Elected /\ ~Cleaned /\ controller'.sss # controller.sss
Faults     == used.crashes + used.losses + used.lostDisks

-----------------------------------------------------------------------------
(* The controller *)

\* The controller takes a broker for alive whose process has ended, or gives one up without a reason.
AliveChanges ==
  [][/\ \A b \in controller'.alive \ controller.alive : Up(b)
     /\ \A b \in controller.alive \ controller'.alive :
          Up(b) => \/ used'.expiries = used.expiries + 1 /\ controller'.alive = controller.alive \ {b}
                   \/ used'.failOvers = used.failOvers + 1 /\ controller'.alive = {}]_vars

\* A master that lives is replaced, or an election leaves something else than a master alone in its set, with new numbers.
ElectionChanges ==
  [][Elected =>
       LET old == controller.master
           new == controller'.master
       IN /\ controller'.masterEpoch = controller.masterEpoch + 1
          /\ \/ old \notin controller.alive
             \/ broker[old].role = "Fenced" /\ new = old
             \/ used'.designations = used.designations + 1 /\ new # old
          /\ old = NoBroker /\ used'.designations = used.designations =>
               \E b \in Broker : Running(b) /\ (broker[b].role = "Fenced" \/ broker[b].masterEpoch < controller.masterEpoch)
          /\ IF new = NoBroker
             THEN /\ old # NoBroker
                  /\ controller'.sss = controller.sss /\ controller'.sssEpoch = controller.sssEpoch
                  /\ controller.sss \cap controller.alive \subseteq Learners
             ELSE /\ new \in controller'.alive
                  /\ controller'.sss = {new} /\ controller'.sssEpoch = controller.sssEpoch + 1]_vars

\* The master changes without an election, or the set without a number of its own.
NumbersChange ==
  [][/\ controller'.master # controller.master => Elected \/ Cleaned
     /\ controller'.sssEpoch \in {controller.sssEpoch, controller.sssEpoch + 1}
     /\ controller'.sss # controller.sss => controller'.sssEpoch > controller.sssEpoch]_vars

\* A cleaning forgets a number or the set, or keeps the epoch of a master, or it comes while the master lives.
CleaningChanges ==
  [][Cleaned => /\ controller.master \notin controller.alive
                /\ controller' = [controller EXCEPT !.master = NoBroker, !.sssEpoch = @ + 1,
                                                   !.masterEpoch = IF @ > 0 THEN @ + 1 ELSE @]]_vars

\* A set is stored that nobody asked for, or with a member that is not alive.
StoredSetWasProposed ==
  [][Stored => /\ controller'.sss \subseteq controller.alive
               /\ \E r \in requests :
                    /\ r.sent /\ r.from = controller.master /\ r.members = controller'.sss
                    /\ r.masterEpoch = controller.masterEpoch /\ r.sssEpoch = controller.sssEpoch]_vars

\* A request waits that can never be accepted, or one disappears that could.
RequestsArePossible == \A r \in requests : r.sent /\ (r.sssEpoch >= controller.sssEpoch \/ used.cleans > 0)
RequestsChange ==
  [][/\ \A r \in requests \ requests' : \/ r.sssEpoch < controller'.sssEpoch
                                        \/ ShowRejections /\ UNCHANGED controller
     /\ \A r \in requests' \ requests :
          /\ used'.alters = used.alters + 1
          /\ broker[r.from].role = "Master"
          /\ r.masterEpoch = broker[r.from].masterEpoch /\ r.sssEpoch = broker[r.from].sssEpoch
          /\ r.from \in r.members
          /\ Cardinality((r.members \ broker[r.from].sss) \cup (broker[r.from].sss \ r.members)) = 1
          /\ r.members \subseteq broker'[r.from].pending]_vars

\* A notification is lost, invented or forgotten where they are kept.
NoticesChange ==
  [][/\ ~LateNotices => notices' = {}
     /\ notices \subseteq notices'
     /\ \A n \in notices' \ notices :
          Elected /\ n.epoch = controller'.masterEpoch /\ n.master = controller'.master
          /\ n.sss = controller'.sss /\ n.sssEpoch = controller'.sssEpoch
     /\ LateNotices /\ Elected /\ controller'.master # NoBroker /\ UNCHANGED broker => notices' # notices]_vars

-----------------------------------------------------------------------------
(* Brokers *)

\* A broker knows what its role does not let it know: a set without being master, anything at all while it is down.
KnowledgeFitsRole ==
  \A b \in Broker :
    LET known == broker[b] IN
    /\ known.role \in {"Down", "Fenced", "Lost"} => known.masterEpoch = 0 /\ known.master = NoBroker
    /\ known.role \in {"Master", "Promoting", "Labelled"} => known.master = b /\ b \in known.sss /\ known.sssEpoch > 0
    /\ known.role = "Slave" => known.master \notin {b, NoBroker} /\ known.masterEpoch > 0
    /\ known.role \notin {"Master", "Promoting", "Labelled"} =>
         known.sss = {} /\ known.sssEpoch = 0 /\ known.pending = {} /\ known.waiting = {}

\* A broker forgets an epoch while its process runs, or takes one that the controller does not have, with another set than the controller's.
RolesChange ==
  [][\A b \in Broker :
       LET old == broker[b]
           new == broker'[b]
       IN /\ old.role # new.role \/ old.masterEpoch # new.masterEpoch =>
               \/ new.role \in {"Down", "Lost", "Fenced"}
               \/ new.masterEpoch > old.masterEpoch /\ new.role \in {"Slave", "Master", "Promoting"} /\ Running(b)
               \/ <<old.role, new.role>> \in {<<"Promoting", "Labelled">>, <<"Labelled", "Master">>}
          /\ new.masterEpoch > old.masterEpoch /\ ~LateNotices =>
               /\ new.masterEpoch = controller'.masterEpoch /\ new.master = controller'.master
               /\ new.role # "Slave" => new.sss = controller'.sss /\ new.sssEpoch = controller'.sssEpoch]_vars

\* The set that a master knows changes without a newer number, or what it had proposed before stays with it.
KnownSetChanges ==
  [][\A b \in Broker :
       /\ broker'[b].role = broker[b].role /\ broker'[b].masterEpoch = broker[b].masterEpoch =>
            /\ broker'[b].sssEpoch >= broker[b].sssEpoch
            /\ broker'[b].sss # broker[b].sss => broker'[b].sssEpoch > broker[b].sssEpoch
            /\ broker'[b].sssEpoch > broker[b].sssEpoch =>
                 /\ broker'[b].pending = {}
                 /\ broker[b].masterEpoch = controller.masterEpoch
                 /\ broker'[b].sss = controller.sss /\ broker'[b].sssEpoch = controller.sssEpoch
       /\ broker'[b].pending \ broker[b].pending # {} => used'.alters = used.alters + 1]_vars

\* Who acted as master of an epoch is not written down, so that two of them would not be noticed.
OwnersAreRecorded ==
  \A b \in Broker : broker[b].role = "Master" => b \in history.owners[broker[b].masterEpoch]

\* A process ends and its fault is not counted, or a fault is counted and nothing ends: the budgets bound nothing.
FaultsAreCounted ==
  [][/\ Faults' = Faults + Cardinality({ b \in Broker : Ended(b) })
     /\ \A b \in Broker : Ended(b) => \A s \in Broker : link'[s] # b /\ link'[b] # s
     /\ used'.breaks # used.breaks => link' # link]_vars

-----------------------------------------------------------------------------
(* Connections and handshakes *)

\* Both ends of a connection disagree, or somebody copies from a broker that is no master.
ConnectionsAgree ==
  \A m, s \in Broker :
    /\ link[s] = m => connection[m][s].open /\ broker[s].role = "Slave" /\ broker[s].master = m /\ broker[m].role = "Master"
    /\ connection[m][s].open /\ ~HalfOpen => link[s] = m
    /\ ~connection[m][s].open => connection[m][s].ack = -1

\* What only the shipped rules remember is remembered.
NothingElseIsKept ==
  /\ \A m, s \in Broker : LET c == connection[m][s] IN
       c.transferEpoch = 0 /\ c.transferEnd = -1 /\ c.twin = -1 /\ c.masterEnd = -1
  /\ \A b \in Broker : disk[b].residue = <<>>

\* A slave connects to a broker of another epoch, an ack is made up, or a connection that both ends have is reaped.
ConnectionsChange ==
  [][\A s \in Broker :
       /\ link'[s] \notin {link[s], NoBroker} => broker[s].masterEpoch = broker[link'[s]].masterEpoch
                                                 /\ connection'[link'[s]][s].ack = -1
       /\ link[s] # NoBroker /\ link'[s] = NoBroker => broker' # broker \/ used'.breaks = used.breaks + 1
       /\ link[s] # NoBroker /\ link'[s] = link[s] =>
            connection'[link[s]][s].ack >= connection[link[s]][s].ack
       /\ \A m \in Broker :
            /\ connection'[m][s].ack # connection[m][s].ack =>
                 connection'[m][s].ack \in {-1, disk[s].flushed}
            /\ connection[m][s].open /\ ~connection'[m][s].open => link'[s] # m \/ ~Up(m)'
            /\ link[s] # m /\ ~connection'[m][s].open => UNCHANGED <<link, broker>> \/ ~connection[m][s].open
                                                         \/ broker'[m] # broker[m]]_vars

(* The longest beginning that two logs share. *)
Shared(x, y) == CHOOSE n \in 0..Smaller(Len(x), Len(y)) :
                  /\ Prefix(x, n) = Prefix(y, n)
                  /\ n < Smaller(Len(x), Len(y)) => x[n + 1] # y[n + 1]

\* A handshake cuts more of a log than what its master does not have, or less, or leaves another epoch file than the master's for what is left.
HandshakesChange ==
  [][\A s \in Broker : link'[s] \notin {link[s], NoBroker} =>
       LET mine == disk'[s]
           its  == disk[link'[s]]
       IN /\ mine.log = Prefix(disk[s].log, Shared(disk[s].log, its.log))
          /\ mine.epochFile = SubSeq(its.epochFile, 1, Len(mine.epochFile))
          /\ \A i \in DOMAIN its.epochFile : i \in DOMAIN mine.epochFile <=> its.epochFile[i].start <= Len(mine.log)]_vars

\* A handshake is interrupted that could not have begun, or the log is not cut by it.
InterruptionsChange ==
  [][\A s \in Broker : used'.lostDisks # used.lostDisks /\ Ended(s) /\ broker'[s].role = "Down" =>
       LET m == broker[s].master IN
       /\ broker[s].role = "Slave" /\ link[s] = NoBroker
       /\ broker[m].role = "Master" /\ broker[m].masterEpoch = broker[s].masterEpoch
       /\ disk'[s].log = Prefix(disk[s].log, Shared(disk[s].log, disk[m].log))
       /\ disk'[s].epochFile = disk[s].epochFile]_vars

-----------------------------------------------------------------------------
(* Logs *)

\* A broker that may lose what it has not flushed counts more as flushed than it has, or one that cannot counts less.
FlushedFits ==
  \A b \in Broker : disk[b].flushed <= EndOfLog(b) /\ (MaxLosses = 0 => disk[b].flushed = EndOfLog(b))

\* A slave without the master's announcements keeps a confirmOffset, or somebody keeps one beyond the end of its log.
ConfirmFits ==
  \A b \in Broker : /\ broker[b].role = "Slave" /\ ~TrackConfirm => disk[b].confirm = 0
                    /\ Up(b) => disk[b].confirm <= EndOfLog(b)

\* Something is left of a disk that is lost.
LostDiskIsEmpty ==
  \A b \in Broker : broker[b].role = "Lost" =>
    disk[b] = [log |-> <<>>, flushed |-> 0, epochFile |-> <<>>, confirm |-> 0, residue |-> <<>>]

\* A new master begins with a confirmOffset that nobody announced, or one that stays master forgets its own.
ConfirmChanges ==
  [][\A b \in Broker : broker'[b].role \in {"Master", "Promoting"} =>
       /\ broker[b].role \notin {"Master", "Promoting", "Labelled"} /\ ~TrackConfirm => disk'[b].confirm = 0
       /\ broker[b].role = "Master" => disk'[b].confirm >= disk[b].confirm]_vars

\* A message that a master has acknowledged in its own reign cannot be read from it.
AcknowledgedCanBeRead ==
  \A b \in Broker : broker[b].role = "Master" =>
    \A i \in DOMAIN disk[b].log :
      disk[b].log[i].epoch = broker[b].masterEpoch /\ disk[b].log[i].id \in history.acked => i <= ReadLimit(b)

\* A log grows without a put or a copy, or it gets shorter without a truncation or a loss.
LogsChange ==
  [][\A b \in Broker :
       LET old == disk[b].log
           new == disk'[b].log
       IN /\ Len(new) > Len(old) =>
               /\ SubSeq(new, 1, Len(old)) = old
               /\ \/ /\ used'.puts = used.puts + 1 /\ Len(new) = Len(old) + 1
                     /\ broker[b].role = "Master" /\ MinInSyncReplicas <= Cardinality(broker[b].sss \cup broker[b].pending)
                     /\ new[Len(new)] = [id |-> used'.puts, epoch |-> broker[b].masterEpoch]
                     /\ used'.puts \in broker'[b].waiting
                  \/ /\ link[b] # NoBroker /\ Len(new) <= Len(old) + BatchSize
                     /\ new = SubSeq(disk[link[b]].log, 1, Len(new))
          /\ Len(new) < Len(old) =>
               /\ new = SubSeq(old, 1, Len(new))
               /\ \/ link'[b] # link[b] \/ used'.lostDisks = used.lostDisks + 1
                  \/ used'.losses = used.losses + 1 /\ Len(new) >= disk[b].flushed /\ disk'[b].flushed = Len(new)
                  \/ broker[b].role = "Down"
          /\ Len(new) = Len(old) => new = old \/ link'[b] # link[b]
          /\ disk'[b].flushed > disk[b].flushed => disk'[b].flushed = Len(new)]_vars

\* A machine fails and nothing is lost, or a flush loses something.
LossesChange ==
  [][/\ used'.losses # used.losses => \E b \in Broker : Len(disk'[b].log) < Len(disk[b].log)
     /\ used'.puts # used.puts => \E b \in Broker : Len(disk'[b].log) > Len(disk[b].log)]_vars

-----------------------------------------------------------------------------
(* Producers and consumers *)

\* A producer is told twice, or of a message that the master does not wait for.
AcknowledgementsChange ==
  [][/\ \A id \in history'.acked \ history.acked :
          \E b \in Broker : broker[b].role = "Master" /\ id \in broker[b].waiting /\ id \in MessagesOn(b)
                            /\ broker'[b].waiting = broker[b].waiting \ {id}
     /\ history.acked \subseteq history'.acked /\ history.consumed \subseteq history'.consumed
     /\ \A b \in Broker : broker'[b].role = "Master" /\ broker[b].role = "Master" =>
          broker[b].waiting \ broker'[b].waiting \subseteq history'.acked]_vars
NobodyWaitsForAcknowledged == \A b \in Broker : broker[b].waiting \cap history.acked = {}

\* A read is not counted, returns nothing new, or is answered by a broker that serves nobody.
ReadsChange ==
  [][/\ used'.reads # used.reads <=> history'.consumed # history.consumed
     /\ used'.reads \in {used.reads, used.reads + 1}
     /\ history'.consumed # history.consumed =>
          \E b \in Broker : /\ Up(b) /\ broker[b].role # "Fenced"
                            /\ history'.consumed = history.consumed \cup IdsIn(Prefix(disk[b].log, DispatchLimit(b)))]_vars

=============================================================================
