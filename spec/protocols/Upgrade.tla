------------------------------- MODULE Upgrade -------------------------------
(***************************************************************************)
(* A master and its slave, stopped, and started again in Controller mode   *)
(* with the logs that they have. The old master acknowledged everything it *)
(* had, the slave may have less: the logs are not aligned. Neither has an  *)
(* epoch file. Whoever registers first is elected, alone in the            *)
(* SyncStateSet, and its epoch begins at the end of its log; the other one *)
(* has to match that.                                                      *)
(*                                                                         *)
(* Learned: the order decides. The old master first, and the slave copies  *)
(* what it lacks. The slave first, and what the old master alone has is    *)
(* cut, or, as the Java has it, stays on it beside other bytes at the same *)
(* offsets, because a log without an epoch file is not cut at all. A       *)
(* master elected first is no protection once it may fail before the other *)
(* has caught up and unclean elections are allowed.                        *)
(*                                                                         *)
(* Left out: everything after the pair runs (ControllerMode), batches, the *)
(* confirmOffset, acknowledgements by more than the master.                *)
(***************************************************************************)
EXTENDS EpochFile

CONSTANTS
  \* The old master, the old slave, and "nobody".
  \* @type: BROKER;
  OldMaster,
  \* @type: BROKER;
  OldSlave,
  \* @type: BROKER;
  NoBroker,
  \* Which one the operator starts first; the other one when that one is master.
  \* @type: BROKER;
  FirstStarted,
  \* Messages that the old master acknowledged, and how many of them the slave had when both were stopped.
  \* @type: Int;
  OldMessages,
  \* @type: Int;
  CopiedMessages,
  \* Messages after the upgrade.
  \* @type: Int;
  NewMessages,
  \* enableElectUncleanMaster
  \* @type: Bool;
  UncleanElection,
  \* Budget: processes that end.
  \* @type: Int;
  MaxCrashes

VARIABLES
  \* @type: { master: BROKER, epoch: Int, sss: Set(BROKER) };
  controller,
  \* The process: Stopped, Started, Master, Slave (knows its master, no handshake yet), Following; the log as message
  \* ids; the epoch file.
  \* @type: BROKER -> { state: Str, log: Seq(Int), file: Seq({ epoch: Int, start: Int }) };
  replica,
  \* Messages whose producers were told that they are stored.
  \* @type: Set(Int);
  acknowledged,
  \* Budgets used.
  \* @type: { puts: Int, crashes: Int };
  used

vars == <<controller, replica, acknowledged, used>>

Broker  == {OldMaster, OldSlave}
Other(b) == IF b = OldMaster THEN OldSlave ELSE OldMaster
MaxId   == OldMessages + NewMessages
Ids(b)  == { replica[b].log[i] : i \in DOMAIN replica[b].log }
End(b)  == Len(replica[b].log)
Old(n)  == [i \in 1..n |-> i]

TypeOK ==
  /\ controller.master \in Broker \cup {NoBroker}
  /\ controller.epoch \in 0..(MaxCrashes + 1)
  /\ controller.sss \subseteq Broker
  /\ \A b \in Broker :
       /\ replica[b].state \in {"Stopped", "Started", "Master", "Slave", "Following"}
       /\ Ids(b) \subseteq 1..MaxId
       /\ IsEpochFile(replica[b].file)
  /\ acknowledged \subseteq 1..MaxId

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* The epoch file of a log that was written before there were epochs. As shipped there is none
   (AutoSwitchHAService.init reads what is there). *)
FileOfOldLog(n)   == IF n = 0 THEN <<>> ELSE <<Entry(0, 0)>>
NoFileOfOldLog(n) == <<>>

(* What the handshake leaves of a slave's log. As shipped (AutoSwitchHAClient.doTruncate): all of it, if it has no epoch
   file. *)
KeptAtHandshake(s, m) ==
  Smaller(End(s), ConsistentPointOrStart(replica[s].file, End(s), replica[m].file, End(m)))
KeptAsShipped(s, m) == IF replica[s].file = <<>> THEN End(s) ELSE
  Smaller(End(s), ConsistentPointOrStart(replica[s].file, End(s), replica[m].file, End(m)))

-----------------------------------------------------------------------------
Init ==
  /\ controller = [master |-> NoBroker, epoch |-> 0, sss |-> {}]
  /\ replica = [b \in Broker |->
                  LET n == IF b = OldMaster THEN OldMessages ELSE CopiedMessages
                  IN [state |-> "Stopped", log |-> Old(n), file |-> FileOfOldLog(n)]]
  /\ acknowledged = 1..OldMessages
  /\ used = [puts |-> 0, crashes |-> 0]

ProcessStarts(b) ==
  /\ replica[b].state = "Stopped"
  /\ controller.epoch > 0 \/ b = FirstStarted
  /\ replica' = [replica EXCEPT ![b].state = "Started"]
  /\ UNCHANGED <<controller, acknowledged, used>>

(* The first election has no SyncStateSet to ask for. *)
MayBeElected(b) == controller.epoch = 0 \/ b \in controller.sss \/ UncleanElection

BecomeMaster(b) ==
  /\ replica[b].state \in {"Started", "Slave", "Following"}
  /\ controller.master = NoBroker
  /\ MayBeElected(b)
  /\ controller' = [master |-> b, epoch |-> controller.epoch + 1, sss |-> {b}]
  /\ replica' = [r \in Broker |->
                   IF r = b THEN [replica[r] EXCEPT !.state = "Master",
                                                    !.file = AppendNewerWins(@, Entry(controller.epoch + 1, End(r)))]
                   ELSE replica[r]]
  /\ UNCHANGED <<acknowledged, used>>

BecomeSlave(b) ==
  /\ replica[b].state = "Started"
  /\ controller.master = Other(b)
  /\ replica' = [replica EXCEPT ![b].state = "Slave"]
  /\ UNCHANGED <<controller, acknowledged, used>>

SlaveConnectsAndTruncates(s) ==
  LET m    == Other(s)
      kept == KeptAtHandshake(s, m)
  IN /\ replica[s].state = "Slave"
     /\ controller.master = m
     /\ replica[m].state = "Master"
     /\ replica' = [replica EXCEPT ![s] = [state |-> "Following", log |-> SubSeq(@.log, 1, kept),
                                           file |-> DropFromOffset(@.file, kept)]]
     /\ UNCHANGED <<controller, acknowledged, used>>

(* One message, with the entry of the epoch that it lies in. *)
SlaveAppends(s) ==
  LET m     == Other(s)
      entry == IndexAt(replica[m].file, End(s))
  IN /\ replica[s].state = "Following"
     /\ replica[m].state = "Master"
     /\ End(s) < End(m)
     /\ replica' = [replica EXCEPT ![s] = [@ EXCEPT !.log = Append(@, replica[m].log[End(s) + 1]),
                                             !.file = IF entry = 0 THEN @ ELSE AppendNewerWins(@, replica[m].file[entry])]]
     /\ UNCHANGED <<controller, acknowledged, used>>

(* AlterSyncStateSet *)
SlaveJoins(s) ==
  LET m == Other(s)
  IN /\ replica[s].state = "Following"
     /\ replica[m].state = "Master"
     /\ controller.master = m
     /\ s \notin controller.sss
     /\ End(s) >= End(m)
     /\ controller' = [controller EXCEPT !.sss = Broker]
     /\ UNCHANGED <<replica, acknowledged, used>>

(* A put, acknowledged when every member of the SyncStateSet has it: at once by a master that is alone. *)
AppendPut(b) ==
  LET id == OldMessages + used.puts + 1
  IN /\ replica[b].state = "Master"
     /\ controller.master = b
     /\ used.puts < NewMessages
     /\ replica' = [replica EXCEPT ![b].log = Append(@, id)]
     /\ acknowledged' = IF controller.sss = {b} THEN acknowledged \cup {id} ELSE acknowledged
     /\ used' = [used EXCEPT !.puts = @ + 1]
     /\ UNCHANGED controller

AcknowledgePut(id) ==
  /\ id \notin acknowledged
  /\ controller.sss # {}
  /\ \A b \in controller.sss : id \in Ids(b)
  /\ acknowledged' = acknowledged \cup {id}
  /\ UNCHANGED <<controller, replica, used>>

(* A member that fails leaves the set, except the last one. *)
ProcessEnds(b) ==
  /\ used.crashes < MaxCrashes
  /\ replica[b].state # "Stopped"
  /\ replica' = [r \in Broker |-> IF r = b THEN [replica[r] EXCEPT !.state = "Stopped"]
                                  ELSE IF replica[r].state = "Following" THEN [replica[r] EXCEPT !.state = "Started"]
                                  ELSE replica[r]]
  /\ controller' = [controller EXCEPT !.master = IF @ = b THEN NoBroker ELSE @,
                                      !.sss = IF controller.master # b THEN @ \ {b} ELSE @]
  /\ used' = [used EXCEPT !.crashes = @ + 1]
  /\ UNCHANGED acknowledged

Next ==
  \/ \E b \in Broker : ProcessStarts(b)
  \/ \E b \in Broker : BecomeMaster(b)
  \/ \E b \in Broker : BecomeSlave(b)
  \/ \E s \in Broker : SlaveConnectsAndTruncates(s)
  \/ \E s \in Broker : SlaveAppends(s)
  \/ \E s \in Broker : SlaveJoins(s)
  \/ \E b \in Broker : AppendPut(b)
  \/ \E id \in 1..MaxId : AcknowledgePut(id)
  \/ \E b \in Broker : ProcessEnds(b)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* A message that the pair acknowledged before or after the upgrade is missing on the master that serves now.
UpgradeKeepsAcknowledged == \A b \in Broker : replica[b].state = "Master" => acknowledged \subseteq Ids(b)

\* A message that the pair acknowledged is on no disk any more, so not even an operator can get it back.
UpgradeKeepsBytes == acknowledged \subseteq Ids(OldMaster) \cup Ids(OldSlave)

\* After the upgrade a slave has other messages than its master at the same offsets.
UpgradedLogsAgree ==
  \A s \in Broker :
    replica[s].state = "Following" /\ replica[Other(s)].state = "Master"
      => replica[s].log = SubSeq(replica[Other(s)].log, 1, Smaller(End(s), End(Other(s))))

\* A process takes a role that the controller has not given it, or the controller elects, accepts or drops a broker without a reason.
UpgradeChanges ==
  [][LET ended  == used'.crashes = used.crashes + 1
         left   == controller.master
         chosen == controller'.master
     IN /\ controller' # controller /\ ~ended =>
             IF left = NoBroker
             THEN /\ controller' = [master |-> chosen, epoch |-> controller.epoch + 1, sss |-> {chosen}]
                  /\ controller.epoch > 0 /\ ~UncleanElection => chosen \in controller.sss
                  /\ replica[chosen].state \in {"Started", "Slave", "Following"} /\ replica'[chosen].state = "Master"
             ELSE /\ controller' = [controller EXCEPT !.sss = Broker]
                  /\ \A s \in Broker \ {left} : replica[s].state = "Following" /\ End(s) >= End(left)
        /\ \A b \in Broker : replica'[b].state # replica[b].state =>
             CASE replica'[b].state = "Started"   -> replica[b].state = (IF ended THEN "Following" ELSE "Stopped")
               [] replica'[b].state = "Slave"     -> replica[b].state = "Started" /\ left \notin {b, NoBroker}
               [] replica'[b].state = "Following" -> replica[b].state = "Slave"
               [] replica'[b].state = "Master"    -> chosen = b /\ controller'.epoch > controller.epoch
               [] OTHER                           ->
                    /\ ended /\ chosen = (IF left = b THEN NoBroker ELSE left)
                    /\ left # b => b \notin controller'.sss
        /\ \A b \in Broker : replica'[b].state = "Following" => replica'[Other(b)].state = "Master"
        /\ used'.crashes # used.crashes =>
             ended /\ \E b \in Broker : replica[b].state # "Stopped" /\ replica'[b].state = "Stopped"]_vars

\* A log or its epochs change otherwise than by a put, a copy, a handshake or an election; or a message is acknowledged that a member of the SyncStateSet does not have.
UpgradedLogsChange ==
  [][/\ \A b \in Broker :
          LET old == replica[b]
              new == replica'[b]
              id  == OldMessages + used'.puts
          IN /\ new.log # old.log =>
                  \/ old.state = "Slave" /\ new.state = "Following" /\ new.log = SubSeq(old.log, 1, Len(new.log))
                  \/ old.state = "Following"
                     /\ new = [old EXCEPT !.log = Append(@, replica[Other(b)].log[Len(@) + 1]), !.file = new.file]
                  \/ /\ old.state = "Master" /\ new = [old EXCEPT !.log = Append(@, id)]
                     /\ used'.puts = used.puts + 1 /\ (controller.sss = {b} => id \in acknowledged')
             /\ new.file # old.file /\ new.state # "Following" =>
                  /\ new.state = "Master"
                  /\ new.file = Append(DropFromOffset(old.file, Len(old.log)), Entry(controller'.epoch, Len(old.log)))
             /\ new.file # old.file /\ old.state = "Following" => new.state = "Master" \/ new.log # old.log
     /\ used'.puts # used.puts => replica' # replica
     /\ acknowledged \subseteq acknowledged'
     /\ \A id \in acknowledged' \ acknowledged : controller.sss # {} /\ \A b \in controller.sss : id \in Ids(b)']_vars

\* After the upgrade a slave has other epochs than its master for what both have, so that a later handshake cuts too much or too little.
UpgradedEpochsAgree ==
  \A s \in Broker :
    replica[s].state = "Following" /\ replica[Other(s)].state = "Master"
      => replica[s].file = DropFromOffset(replica[Other(s)].file, End(s))
=============================================================================
