------------------------------ MODULE PreOnline -------------------------------
(***************************************************************************)
(* How a master that comes back goes online in SlaveActingMaster mode. It  *)
(* asks the nameserver for the members, and one after the other, in the    *)
(* order of their ids: tells it where to connect, waits until the          *)
(* connection copies (TRANSFER), and pulls its consumer offsets. Then it   *)
(* registers, and slaves take over what it has. Meanwhile the member with  *)
(* the lowest id acts for it and takes commits.                            *)
(*                                                                         *)
(* Left out: what is after that, and two members that act at once          *)
(* (SlaveActingMaster); logs (MasterSlave). A member whose offsets were    *)
(* pulled takes no more commits (bugs/InsufficientPull).                   *)
(*                                                                         *)
(* Learned: how many members are done says nothing once the members have   *)
(* changed between two attempts (bugs/MembersCounted). A connection is     *)
(* known by who made it, not by its host (bugs/ConnectionByHost).          *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  \* Slaves are 1..MaxId.
  \* @type: Int;
  MaxId,
  \* The slaves that share a machine.
  \* @type: Set(Int);
  OneHost,
  \* @type: Int;
  MaxOffset,
  \* Budgets: processes of slaves that end, connections that break.
  \* @type: Int;
  MaxCrashes,
  \* @type: Int;
  MaxBreaks

VARIABLES
  \* isIsolated, or Online; the members as they were asked for, in an attempt; waitBrokerIndex; the offset it has.
  \* @type: { state: Str, asked: Bool, members: Seq(Int), index: Int, offset: Int };
  master,
  \* A slave that runs is registered. Was it told where to connect, does its connection copy, were its offsets pulled?
  \* @type: Int -> { runs: Bool, told: Bool, connected: Bool, pulled: Bool, offset: Int };
  slave,
  \* @type: { crashes: Int, breaks: Int };
  used

vars == <<master, slave, used>>

Slave  == 1..MaxId
Listed == { s \in Slave : slave[s].runs }
Acting(s) == s \in Listed /\ \A other \in Listed : s <= other

RECURSIVE InOrder(_)
InOrder(ids) ==
  IF ids = {} THEN <<>>
  ELSE LET lowest == CHOOSE i \in ids : \A j \in ids : i <= j
       IN <<lowest>> \o InOrder(ids \ {lowest})

TypeOK ==
  /\ master.state \in {"Isolated", "Online"} /\ master.asked \in BOOLEAN
  /\ master.index \in 0..MaxId /\ master.offset \in 0..MaxOffset
  /\ \A i \in DOMAIN master.members : master.members[i] \in Slave
  /\ slave \in [Slave -> [runs : BOOLEAN, told : BOOLEAN, connected : BOOLEAN, pulled : BOOLEAN, offset : 0..MaxOffset]]
  /\ used.crashes \in 0..MaxCrashes /\ used.breaks \in 0..MaxBreaks

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Of the members the one that is waited for, 0 if none is left. As shipped the one at waitBrokerIndex, which is kept when
   an attempt fails (BrokerPreOnlineService.prepareForMasterOnline). *)
WaitedFor ==
  LET left == SelectSeq(master.members, LAMBDA s : ~(slave[s].pulled /\ slave[s].connected))
  IN IF left = <<>> THEN 0 ELSE left[1]

WaitedForByIndex == IF master.index >= Len(master.members) THEN 0 ELSE master.members[master.index + 1]

(* Do the members that were asked for still hold when the master goes online? As shipped they are not asked for again. *)
MembersHold == Listed \subseteq { master.members[i] : i \in DOMAIN master.members }

(* HAConnectionStateNotificationService.checkConnectionStateAndNotify: is there a connection to s that copies? As shipped
   one from its host. *)
ConnectionFound(s) == slave[s].connected

ConnectionFromHost(s) == \E other \in Slave : slave[other].connected /\ (other = s \/ {s, other} \subseteq OneHost)

-----------------------------------------------------------------------------
Init ==
  /\ master = [state |-> "Isolated", asked |-> FALSE, members |-> <<>>, index |-> 0, offset |-> 0]
  /\ slave = [s \in Slave |-> [runs |-> TRUE, told |-> FALSE, connected |-> FALSE, pulled |-> FALSE, offset |-> 0]]
  /\ used = [crashes |-> 0, breaks |-> 0]

Waits(s) == master.state = "Isolated" /\ master.asked /\ s = WaitedFor

(* BrokerPreOnlineService.prepareForBrokerOnline: syncBrokerMemberGroup *)
MasterAsksForMembers ==
  /\ master.state = "Isolated"
  /\ ~master.asked
  /\ master' = [master EXCEPT !.asked = TRUE, !.members = InOrder(Listed)]
  /\ UNCHANGED <<slave, used>>

(* prepareForMasterOnline: sendBrokerHaInfo *)
MasterTells(s) ==
  /\ Waits(s)
  /\ slave[s].runs /\ ~slave[s].told
  /\ slave' = [slave EXCEPT ![s].told = TRUE]
  /\ UNCHANGED <<master, used>>

SlaveConnects(s) ==
  /\ slave[s].runs /\ slave[s].told /\ ~slave[s].connected
  /\ slave' = [slave EXCEPT ![s].connected = TRUE]
  /\ UNCHANGED <<master, used>>

(* syncMetadataReverse, when waitForHaHandshakeComplete has come true *)
MasterPulls(s) ==
  /\ Waits(s)
  /\ slave[s].runs /\ slave[s].told
  /\ ConnectionFound(s)
  /\ master' = [master EXCEPT !.index = IF @ < MaxId THEN @ + 1 ELSE @,
                              !.offset = IF slave[s].offset > @ THEN slave[s].offset ELSE @]
  /\ slave' = [slave EXCEPT ![s].pulled = TRUE]
  /\ UNCHANGED used

(* The slave that is waited for does not connect in time, or not at all: again in a second. *)
AttemptFails(s) ==
  /\ Waits(s)
  /\ ~slave[s].connected
  /\ master' = [master EXCEPT !.asked = FALSE, !.members = <<>>]
  /\ UNCHANGED <<slave, used>>

(* BrokerController.startService *)
MasterGoesOnline ==
  /\ Waits(0)
  /\ MembersHold
  /\ master' = [master EXCEPT !.state = "Online"]
  /\ UNCHANGED <<slave, used>>

MembersHaveChanged ==
  /\ Waits(0)
  /\ ~MembersHold
  /\ master' = [master EXCEPT !.asked = FALSE, !.members = <<>>]
  /\ UNCHANGED <<slave, used>>

ConsumerCommits(s) ==
  /\ master.state = "Isolated"
  /\ Acting(s)
  /\ ~slave[s].pulled
  /\ slave[s].offset < MaxOffset
  /\ slave' = [slave EXCEPT ![s].offset = @ + 1]
  /\ UNCHANGED <<master, used>>

SlaveEnds(s) ==
  /\ master.state = "Isolated"
  /\ used.crashes < MaxCrashes
  /\ slave[s].runs
  /\ slave' = [slave EXCEPT ![s] = [runs |-> FALSE, told |-> FALSE, connected |-> FALSE, pulled |-> FALSE, offset |-> @.offset]]
  /\ used' = [used EXCEPT !.crashes = @ + 1]
  /\ UNCHANGED master

(* prepareForBrokerOnline of a slave: no master is online, so it registers at once. *)
SlaveStarts(s) ==
  /\ master.state = "Isolated"
  /\ ~slave[s].runs
  /\ slave' = [slave EXCEPT ![s].runs = TRUE]
  /\ UNCHANGED <<master, used>>

(* The master is not told at once, but before it goes online. *)
ConnectionBreaks(s) ==
  /\ master.state = "Isolated"
  /\ used.breaks < MaxBreaks
  /\ slave[s].connected
  /\ slave' = [slave EXCEPT ![s].connected = FALSE]
  /\ used' = [used EXCEPT !.breaks = @ + 1]
  /\ UNCHANGED master

Next ==
  \/ MasterAsksForMembers
  \/ MasterGoesOnline
  \/ MembersHaveChanged
  \/ \E s \in Slave : MasterTells(s)
  \/ \E s \in Slave : SlaveConnects(s)
  \/ \E s \in Slave : MasterPulls(s)
  \/ \E s \in Slave : AttemptFails(s)
  \/ \E s \in Slave : ConsumerCommits(s)
  \/ \E s \in Slave : SlaveEnds(s)
  \/ \E s \in Slave : SlaveStarts(s)
  \/ \E s \in Slave : ConnectionBreaks(s)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* The master is online without an offset that a member has taken meanwhile, which is overwritten now: messages are consumed again.
OnlineWithOffsets == master.state = "Online" => \A s \in Listed : slave[s].offset <= master.offset

\* The master is online while a slave that is listed does not copy, so puts that need it are refused or wait.
OnlineWithSlaves == master.state = "Online" => \A s \in Listed : slave[s].connected

\* The master pulls from a slave before its turn or that does not copy, gives an attempt up without a reason, or a slave takes commits that does not act.
PreOnlineChanges ==
  [][LET members == { master.members[i] : i \in DOMAIN master.members }
         done(s) == slave[s].pulled /\ slave[s].connected
         next(s) == \E i \in DOMAIN master.members : master.members[i] = s /\ \A j \in 1..(i - 1) : done(master.members[j])
     IN /\ master.state = "Online" => UNCHANGED master
        /\ master'.state # master.state => master.asked
        /\ master'.members # master.members \/ master'.asked # master.asked =>
             IF master.asked
             THEN /\ ~master'.asked /\ master'.members = <<>>
                  /\ \/ \E s \in members : next(s) /\ ~slave[s].connected
                     \/ (\A s \in members : done(s)) /\ ~(Listed \subseteq members)
             ELSE master'.asked /\ { master'.members[i] : i \in DOMAIN master'.members } = Listed
        /\ master'.index # master.index \/ master'.offset # master.offset =>
             \E s \in Slave : slave'[s].pulled /\ ~slave[s].pulled
        /\ \A s \in Slave :
             LET old == slave[s]
                 new == slave'[s]
             IN /\ new.runs # old.runs \/ new.told # old.told \/ new.pulled # old.pulled \/ new.offset # old.offset =>
                     master.state = "Isolated"
                /\ old.runs /\ ~new.runs =>
                     /\ used'.crashes = used.crashes + 1
                     /\ new = [runs |-> FALSE, told |-> FALSE, connected |-> FALSE, pulled |-> FALSE, offset |-> old.offset]
                /\ new.told /\ ~old.told => old.runs /\ next(s)
                /\ new.connected /\ ~old.connected => old.runs /\ old.told
                /\ new.pulled /\ ~old.pulled =>
                     /\ next(s) /\ old.told /\ old.connected /\ master'.offset >= old.offset
                     /\ master'.index = (IF master.index = MaxId THEN MaxId ELSE master.index + 1)
                /\ old.connected /\ ~new.connected /\ new.runs => used'.breaks = used.breaks + 1
                /\ new.offset # old.offset =>
                     /\ new.offset = old.offset + 1 /\ old.runs /\ ~old.pulled
                     /\ \A other \in 1..(s - 1) : ~slave[other].runs
        /\ used'.crashes # used.crashes => \E s \in Slave : slave[s].runs /\ ~slave'[s].runs
        /\ used'.breaks # used.breaks => \E s \in Slave : slave[s].connected /\ ~slave'[s].connected]_vars
==============================================================================
