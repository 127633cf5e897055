-------------------------- MODULE SlaveActingMaster --------------------------
(***************************************************************************)
(* SlaveActingMaster mode (RIP-32): while the master of a broker set is    *)
(* missing, the nameserver shows the member with the lowest brokerId in    *)
(* its place, with queues that can only be read. That member runs the      *)
(* services that deliver delayed and half messages, and sends what is due  *)
(* to another broker set. A master that returns stays isolated until it    *)
(* has pulled the consumer offsets back from its slaves.                   *)
(*                                                                         *)
(* brokerId 0 is the master and stays it: nobody is elected, nothing is    *)
(* written elsewhere. One queue, one consumer group. Left out: HA          *)
(* connections (a slave copies everything of its master at once), POP,     *)
(* quorum locks (QuorumLock), numbers of acknowledgements (AckPolicy).     *)
(* Assumed: consumer offsets are on disk when a process ends.              *)
(*                                                                         *)
(* Learned: pulling the offsets back is not enough. What is committed at   *)
(* the acting member after the pull is overwritten, and a master that only *)
(* was not heard registers again without a pull (bugs/InsufficientPull,    *)
(* bugs/InsufficientReturn). Repaired: a member whose offsets were pulled  *)
(* takes no more commits, and an unlisted master isolates itself.          *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  \* brokerIds are 0..MaxId, 0 is the master.
  \* @type: Int;
  MaxId,
  \* Messages that a consumer may consume.
  \* @type: Int;
  MaxOffset,
  \* Delayed or half messages that a producer may send.
  \* @type: Int;
  MaxMessages,
  \* enableRemoteEscape
  \* @type: Bool;
  RemoteEscape,
  \* Budgets: processes that end, members not heard although they run, restarts of the nameserver.
  \* @type: Int;
  MaxCrashes,
  \* @type: Int;
  MaxSilences,
  \* @type: Int;
  MaxNameserverRestarts

VARIABLES
  \* Who is registered, who has been heard since the last scan, may the set's queues be written?
  \* @type: { live: Set(Int), heard: Set(Int), writable: Bool };
  nameserver,
  \* The process: Down, Isolated, Online; the lowest id it knows of; does it run the special services; were its offsets
  \* pulled by a returning master; the committed offset, the second-level messages it holds, those before its delay
  \* offset, and what was written to it as to a master.
  \* @type: Int -> { state: Str, min: Int, services: Bool, pulled: Bool, offset: Int, log: Set(Int), done: Set(Int),
  \*                 written: Set(Int) };
  member,
  \* The member that the consumer takes for the master, and the offset in its memory.
  \* @type: { at: Int, offset: Int };
  consumer,
  \* Messages delivered to another broker set.
  \* @type: Set(Int);
  escaped,
  \* The last offset that an acting member accepted, and that member.
  \* @type: { offset: Int, by: Int };
  accepted,
  \* Budgets used.
  \* @type: { messages: Int, crashes: Int, silences: Int, restarts: Int };
  used

vars == <<nameserver, member, consumer, escaped, accepted, used>>

Id      == 0..MaxId
Slave   == 1..MaxId
Message == 1..MaxMessages
Nobody  == -1

TypeOK ==
  /\ nameserver \in [live : SUBSET Id, heard : SUBSET Id, writable : BOOLEAN]
  /\ \A b \in Id :
       /\ member[b].state \in {"Down", "Isolated", "Online"}
       /\ member[b].min \in Id
       /\ member[b].offset \in 0..MaxOffset
       /\ member[b].log \cup member[b].done \cup member[b].written \subseteq Message
  /\ consumer \in [at : Id \cup {Nobody}, offset : 0..MaxOffset]
  /\ escaped \subseteq Message
  /\ accepted \in [offset : 0..MaxOffset, by : Id \cup {Nobody}]

Init ==
  /\ nameserver = [live |-> Id, heard |-> Id, writable |-> TRUE]
  /\ member = [b \in Id |-> [state |-> "Online", min |-> 0, services |-> b = 0, pulled |-> FALSE, offset |-> 0,
                             log |-> {}, done |-> {}, written |-> {}]]
  /\ consumer = [at |-> 0, offset |-> 0]
  /\ escaped = {}
  /\ accepted = [offset |-> 0, by |-> Nobody]
  /\ used = [messages |-> 0, crashes |-> 0, silences |-> 0, restarts |-> 0]

NothingAccepted == [offset |-> 0, by |-> Nobody]

(* Slaves do not hand offsets over to each other: once another one acts, nobody promises what the last one accepted,
   nor what is accepted by one that has not noticed the other. *)
AcceptedWithActing(b) == IF accepted.by \in {b, Nobody} THEN accepted ELSE NothingAccepted

Larger(x, y) == IF x >= y THEN x ELSE y
Lowest(ids)  == CHOOSE i \in ids : \A j \in ids : i <= j

(* pickupTopicRouteData: whom clients find under brokerId 0. *)
RoutedMaster == IF nameserver.live = {} THEN Nobody ELSE Lowest(nameserver.live)

Online(b)    == member[b].state = "Online"
Delivered(m) == m \in escaped \/ m \in member[0].written

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* A queue's permission once a slave is the lowest that is registered: read-only. *)
WritableWithSlave(was) == FALSE

(* A queue's permission once the master is registered again beside others. RouteInfoManager.registerBroker writes it for
   an id that was not listed (registerFirst). *)
WritableWithMaster(was) == TRUE

(* BrokerPreOnlineService: may the returning master go online? *)
PreOnlineDone == \A s \in nameserver.live \ {0} : member[s].pulled

(* syncMetadataReverse: the offset of the master after it pulled from s. *)
OffsetAfterPull(s) == Larger(member[0].offset, member[s].offset)

(* May b take a consumer's commit and say how far a queue was consumed? As shipped whoever is asked. *)
ServesOffsets(b) == b = 0 \/ (member[b].services /\ ~member[b].pulled)

(* The members that may be taken for dead while they run. Assumed: the master only. A master that finds no member
   listed cannot know of one that acts (bugs/InsufficientListing). *)
MayBeUnheard == {0}

(* May a master that finds itself unlisted register again at once? *)
RegistersAtOnce == FALSE

(* Does an acting member write what is due to itself? *)
WritesLocally == FALSE

(* May a message be given up that could not be delivered? *)
GivesUp == FALSE

(* The broker sets to which an acting member may send. *)
EscapeTargets == {"another"}

-----------------------------------------------------------------------------
(* The nameserver *)

With(b, was) ==
  LET live == nameserver.live \cup {b}
  IN [live |-> live, heard |-> nameserver.heard \cup {b},
      writable |-> IF b = 0 THEN (IF nameserver.live \ {0} = {} THEN TRUE ELSE WritableWithMaster(was))
                   ELSE IF b = Lowest(live) THEN WritableWithSlave(was)
                   ELSE was]

(* BROKER_HEARTBEAT, every second: it only keeps an entry that a registration made. *)
LightHeartbeat(b) ==
  /\ Online(b)
  /\ b \in nameserver.live \ nameserver.heard
  /\ nameserver' = [nameserver EXCEPT !.heard = @ \cup {b}]
  /\ UNCHANGED <<member, consumer, escaped, accepted, used>>

Register(b) ==
  /\ Online(b)
  /\ b \notin nameserver.live
  /\ b # 0 \/ RegistersAtOnce
  /\ nameserver' = With(b, nameserver.writable)
  /\ UNCHANGED <<member, consumer, escaped, accepted, used>>

(* scanNotActiveBroker: whoever was not heard since the last scan goes. Ten heartbeats fit between two scans, so a
   member that runs is heard unless the budget says otherwise. *)
NotActiveAreRemoved ==
  LET unheard == { b \in nameserver.live \ nameserver.heard : Online(b) }
  IN /\ nameserver.live # {}
     /\ unheard \subseteq MayBeUnheard
     /\ used.silences + Cardinality(unheard) <= MaxSilences
     /\ nameserver' = [live |-> nameserver.live \cap nameserver.heard, heard |-> {},
                       writable |-> nameserver.writable /\ 0 \in nameserver.heard]
     /\ used' = [used EXCEPT !.silences = @ + Cardinality(unheard)]
     /\ UNCHANGED <<member, consumer, escaped, accepted>>

NameserverRestarts ==
  /\ used.restarts < MaxNameserverRestarts
  /\ nameserver' = [live |-> {}, heard |-> {}, writable |-> FALSE]
  /\ used' = [used EXCEPT !.restarts = @ + 1]
  /\ UNCHANGED <<member, consumer, escaped, accepted>>

-----------------------------------------------------------------------------
(* Members *)

ProcessEnds(b) ==
  /\ used.crashes < MaxCrashes
  /\ member[b].state # "Down"
  /\ member' = [member EXCEPT ![b] = [@ EXCEPT !.state = "Down", !.services = FALSE, !.pulled = FALSE]]
  /\ accepted' = IF accepted.by = b /\ ~member[b].pulled /\ ~(Online(0) /\ 0 \in nameserver.live) THEN NothingAccepted
                 ELSE accepted
  /\ used' = [used EXCEPT !.crashes = @ + 1]
  /\ UNCHANGED <<nameserver, consumer, escaped>>

ProcessRestarts(b) ==
  /\ member[b].state = "Down"
  /\ member' = [member EXCEPT ![b].state = "Isolated"]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted, used>>

(* syncBrokerMemberGroup, every second: a slave that learns another lowest id starts or stops its special services. *)
LearnLowestId(b) ==
  /\ b # 0
  /\ Online(b)
  /\ nameserver.live # {}
  /\ member[b].min # Lowest(nameserver.live)
  /\ LET lowest == Lowest(nameserver.live)
     IN /\ member' = [member EXCEPT ![b] = [@ EXCEPT !.min = lowest, !.services = lowest = b, !.pulled = @ /\ lowest = b]]
        /\ accepted' = IF lowest = b THEN AcceptedWithActing(b) ELSE accepted
  /\ UNCHANGED <<nameserver, consumer, escaped, used>>

(* The connection to the master that pulled is gone: the member takes commits again. *)
HandoverEnds(b) ==
  /\ member[b].pulled
  /\ member[0].state = "Down"
  /\ member' = [member EXCEPT ![b].pulled = FALSE]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted, used>>

(* SlaveSynchronize and the HA connection: a slave takes over what its master has, also a smaller offset. *)
SlaveSynchronizes(s) ==
  /\ s # 0
  /\ Online(s)
  /\ Online(0)
  /\ member[s].min = 0
  /\ member' = [member EXCEPT ![s] = [@ EXCEPT !.offset = member[0].offset, !.log = member[0].log, !.done = member[0].done]]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted, used>>

(* prepareForBrokerOnline of a slave *)
SlaveGoesOnline(s) ==
  LET others == nameserver.live \ {s}
      lowest == IF others = {} THEN s ELSE Lowest(others)
  IN /\ s # 0
     /\ member[s].state = "Isolated"
     /\ 0 \in others => Online(0)
     /\ member' = [member EXCEPT ![s] = [@ EXCEPT !.state = "Online", !.min = lowest, !.services = lowest = s]]
     /\ nameserver' = With(s, nameserver.writable)
     /\ accepted' = IF lowest = s THEN AcceptedWithActing(s) ELSE accepted
     /\ UNCHANGED <<consumer, escaped, used>>

(* prepareForMasterOnline, one slave: its offsets and its delay offset. *)
MasterPulls(s) ==
  /\ member[0].state = "Isolated"
  /\ s \in nameserver.live \ {0}
  /\ Online(s)
  /\ ~member[s].pulled
  /\ member' = [member EXCEPT ![0] = [@ EXCEPT !.offset = OffsetAfterPull(s), !.done = @ \cup member[s].done],
                              ![s] = [@ EXCEPT !.pulled = TRUE]]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted, used>>

MasterGoesOnline ==
  /\ member[0].state = "Isolated"
  /\ PreOnlineDone
  /\ member' = [member EXCEPT ![0] = [@ EXCEPT !.state = "Online", !.services = TRUE]]
  /\ nameserver' = With(0, nameserver.writable)
  /\ UNCHANGED <<consumer, escaped, accepted, used>>

MasterFindsItselfUnlisted ==
  /\ Online(0)
  /\ 0 \notin nameserver.live
  /\ ~RegistersAtOnce
  /\ member' = [b \in Id |-> IF b = 0 THEN [member[b] EXCEPT !.state = "Isolated", !.services = FALSE]
                             ELSE [member[b] EXCEPT !.pulled = FALSE]]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted, used>>

-----------------------------------------------------------------------------
(* Second-level messages *)

(* Role SLAVE refuses a put, whatever the route says. *)
ProducerSends ==
  /\ used.messages < MaxMessages
  /\ RoutedMaster = 0
  /\ nameserver.writable
  /\ Online(0)
  /\ member' = [member EXCEPT ![0].log = @ \cup {used.messages + 1}]
  /\ used' = [used EXCEPT !.messages = @ + 1]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted>>

Due(b, m) == Online(b) /\ member[b].services /\ m \in member[b].log \ member[b].done

DeliverHere(b, m) ==
  /\ Due(b, m)
  /\ b = 0 \/ WritesLocally
  /\ member' = [member EXCEPT ![b] = [@ EXCEPT !.done = @ \cup {m}, !.written = @ \cup {m}]]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted, used>>

(* EscapeBridge *)
DeliverElsewhere(b, m) ==
  /\ Due(b, m)
  /\ b # 0
  /\ RemoteEscape
  /\ "another" \in EscapeTargets
  /\ escaped' = escaped \cup {m}
  /\ member' = [member EXCEPT ![b].done = @ \cup {m}]
  /\ UNCHANGED <<nameserver, consumer, accepted, used>>

GiveUp(b, m) ==
  /\ GivesUp
  /\ Due(b, m)
  /\ b # 0
  /\ member' = [member EXCEPT ![b].done = @ \cup {m}]
  /\ UNCHANGED <<nameserver, consumer, escaped, accepted, used>>

-----------------------------------------------------------------------------
(* The consumer *)

TakeRoute ==
  /\ MaxOffset > 0
  /\ consumer.at # RoutedMaster
  /\ consumer' = [consumer EXCEPT !.at = RoutedMaster]
  /\ UNCHANGED <<nameserver, member, escaped, accepted, used>>

Consume ==
  /\ consumer.offset < MaxOffset
  /\ consumer.at # Nobody
  /\ consumer' = [consumer EXCEPT !.offset = @ + 1]
  /\ UNCHANGED <<nameserver, member, escaped, accepted, used>>

Commit(b) ==
  /\ consumer.at = b
  /\ Online(b)
  /\ ServesOffsets(b)
  /\ member[b].offset # consumer.offset
  /\ member' = [member EXCEPT ![b].offset = consumer.offset]
  /\ accepted' = IF b = 0 THEN accepted
                 ELSE IF \E s \in nameserver.live : 0 < s /\ s < b THEN NothingAccepted
                 ELSE [offset |-> consumer.offset, by |-> b]
  /\ UNCHANGED <<nameserver, consumer, escaped, used>>

(* The queue goes to another consumer, which begins where the broker says. *)
Rebalance(b) ==
  /\ consumer.at = b
  /\ Online(b)
  /\ ServesOffsets(b)
  /\ consumer.offset # member[b].offset
  /\ consumer' = [consumer EXCEPT !.offset = member[b].offset]
  /\ UNCHANGED <<nameserver, member, escaped, accepted, used>>

Next ==
  \/ \E b \in Id : LightHeartbeat(b)
  \/ \E b \in Id : Register(b)
  \/ NotActiveAreRemoved
  \/ NameserverRestarts
  \/ \E b \in Id : ProcessEnds(b)
  \/ \E b \in Id : ProcessRestarts(b)
  \/ \E b \in Id : LearnLowestId(b)
  \/ \E b \in Id : HandoverEnds(b)
  \/ \E s \in Id : SlaveSynchronizes(s)
  \/ \E s \in Id : SlaveGoesOnline(s)
  \/ \E s \in Id : MasterPulls(s)
  \/ MasterGoesOnline
  \/ MasterFindsItselfUnlisted
  \/ ProducerSends
  \/ \E b \in Id, m \in Message : DeliverHere(b, m)
  \/ \E b \in Id, m \in Message : DeliverElsewhere(b, m)
  \/ \E b \in Id, m \in Message : GiveUp(b, m)
  \/ TakeRoute
  \/ Consume
  \/ \E b \in Id : Commit(b)
  \/ \E b \in Id : Rebalance(b)

Spec == Init /\ [][Next]_vars

ServicesAreFair ==
  /\ \A b \in Id, m \in Message : WF_vars(DeliverHere(b, m)) /\ WF_vars(DeliverElsewhere(b, m))
FairSpec == Spec /\ ServicesAreFair

(* What returns by itself: timers run, an isolated master goes on trying. Nobody need restart. *)
ReturnIsFair ==
  /\ \A b \in Id : WF_vars(LightHeartbeat(b)) /\ WF_vars(MasterPulls(b))
  /\ WF_vars(NotActiveAreRemoved)
  /\ WF_vars(MasterFindsItselfUnlisted)
  /\ WF_vars(MasterGoesOnline)
ReturnSpec == Spec /\ ReturnIsFair

-----------------------------------------------------------------------------
\* The master is back and its committed offset lies before what the acting member accepted: messages are consumed again.
CommittedOffsetKept ==
  Online(0) /\ 0 \in nameserver.live => member[0].offset >= accepted.offset

\* A message was written to a slave as if it were the master, so it is on no master's log and lost when the master is back.
NothingWrittenToActing == \A s \in Slave : member[s].written = {}

\* Producers are sent to a broker set that has no master.
WritableOnlyWithMaster == nameserver.writable => 0 \in nameserver.live

\* The master is back, and no producer may write to its queues.
WritableWithItsMaster == 0 \in nameserver.live => nameserver.writable

\* A delayed or half message counts as delivered and is in no master's log.
SecondLevelKept == \A b \in Id : \A m \in member[b].done : Delivered(m)

\* A delayed or half message stays where it is although a member acts for the master all the time.
EventuallyDelivered ==
  \A s \in Slave, m \in Message : <>[](Due(s, m)) => <>Delivered(m)

\* A master that runs stays isolated for ever, so nobody can write to its queues.
EventuallyBack == <>[](member[0].state # "Down") => <>[](Online(0) /\ 0 \in nameserver.live)

\* A member is listed that has not registered, or removed though it was heard; it serves though it does not act, or the queues' permission changes with nobody who came or went.
MembersChange ==
  [][LET came      == nameserver'.live \ nameserver.live
         gone      == nameserver.live \ nameserver'.live
         unheard   == { b \in gone : member[b].state = "Online" }
         restarted == used'.restarts # used.restarts
         ended     == used'.crashes # used.crashes
     IN /\ used'.crashes <= MaxCrashes /\ used'.silences <= MaxSilences /\ used'.restarts <= MaxNameserverRestarts
        /\ restarted => used'.restarts = used.restarts + 1 /\ nameserver' = [live |-> {}, heard |-> {}, writable |-> FALSE]
        /\ gone # {} /\ ~restarted => nameserver'.live = nameserver.live \cap nameserver.heard /\ unheard \subseteq {0}
        /\ ~restarted => used'.silences = used.silences + Cardinality(unheard)
        /\ nameserver.heard \ nameserver'.heard # {} =>
             nameserver'.heard = {} /\ nameserver'.live \subseteq nameserver.heard /\ came = {}
        /\ came \subseteq nameserver'.heard
        /\ nameserver'.heard \ nameserver.heard # {} =>
             \E b \in nameserver'.live : nameserver'.heard = nameserver.heard \cup {b} /\ member'[b].state = "Online"
        /\ nameserver'.writable # nameserver.writable => (nameserver'.writable <=> 0 \in came)
        /\ 0 \in gone => ~nameserver'.writable
        /\ 0 \in came => member[0].state = "Isolated" /\ \A s \in nameserver.live \ {0} : member[s].pulled
        /\ ended => used'.crashes = used.crashes + 1 /\ \E b \in Id : member[b].state # "Down" /\ member'[b].state = "Down"
        /\ \A b \in Id :
             LET old    == member[b]
                 new    == member'[b]
                 starts == old.state = "Isolated" /\ new.state = "Online"
                 others == IF starts THEN nameserver.live \ {b} ELSE nameserver.live
             IN /\ new.state # old.state =>
                     CASE new.state = "Down"     -> ended /\ ~new.pulled
                       [] new.state = "Online"   -> starts /\ b \in nameserver'.live /\ (0 \in others => member[0].state = "Online")
                       [] old.state = "Down"     -> new = [old EXCEPT !.state = "Isolated"]
                       [] OTHER                  -> b = 0 /\ 0 \notin nameserver.live /\ \A s \in Id : ~member'[s].pulled
                /\ new.min # old.min \/ (starts /\ b # 0) =>
                     /\ new.state = "Online" /\ b # 0
                     /\ new.min = (IF others = {} THEN b ELSE Lowest(others))
                /\ new.services <=> new.state = "Online" /\ (b = 0 \/ new.min = b)
                /\ new.pulled /\ ~old.pulled =>
                     /\ b # 0 /\ b \in nameserver.live /\ old.state = "Online" /\ member[0].state = "Isolated"
                     /\ member'[0].offset >= old.offset /\ old.done \subseteq member'[0].done
                /\ new.min # old.min /\ new.min # b => ~new.pulled
                /\ old.pulled /\ ~new.pulled =>
                     \/ new.state = "Down" \/ new.min # old.min
                     \/ member[0].state = "Down" \/ <<member[0].state, member'[0].state>> = <<"Online", "Isolated">>]_vars

\* An offset moves otherwise than by a commit, a copy or a pull, at a member that may not; a message is held, delivered or written that was not sent or not due.
OffsetsAndMessagesChange ==
  [][/\ used'.messages # used.messages =>
          /\ used'.messages = used.messages + 1 /\ used'.messages \in member'[0].log
          /\ nameserver.writable /\ 0 \in nameserver.live /\ member[0].state = "Online"
     /\ \A b \in Id :
          LET old    == member[b]
              new    == member'[b]
              copied == /\ b # 0 /\ old.state = "Online" /\ member[0].state = "Online" /\ old.min = 0
                        /\ new.offset = member[0].offset /\ new.log = member[0].log /\ new.done = member[0].done
              due    == IF old.state = "Online" /\ old.services THEN old.log \ old.done ELSE {}
          IN /\ new.log # old.log =>
                  copied \/ (b = 0 /\ new.log = old.log \cup {used'.messages} /\ used'.messages > used.messages)
             /\ new.written # old.written => \E m \in due : new.written = old.written \cup {m} /\ new.done = old.done \cup {m}
             /\ new.done # old.done =>
                  \/ copied
                  \/ b = 0 /\ \E s \in Slave : ~member[s].pulled /\ member'[s].pulled /\ new.done = old.done \cup member[s].done
                  \/ \E m \in due : new.done = old.done \cup {m} /\ m \in new.written \cup escaped'
             /\ new.offset # old.offset =>
                  \/ copied
                  \/ b = 0 /\ new.offset > old.offset
                     /\ \E s \in Slave : ~member[s].pulled /\ member'[s].pulled /\ new.offset = member[s].offset
                  \/ /\ consumer.at = b /\ new.offset = consumer.offset /\ old.state = "Online"
                     /\ b = 0 \/ (old.services /\ ~old.pulled)
                     /\ b # 0 /\ accepted'.by # b => \E s \in 1..(b - 1) : s \in nameserver.live
     /\ accepted' # accepted =>
          LET b    == consumer.at
              last == accepted.by
          IN \/ /\ accepted' = [offset |-> consumer.offset, by |-> b]
                /\ member'[b].offset = consumer.offset /\ member[b].offset # consumer.offset
             \/ /\ accepted' = NothingAccepted
                /\ \/ \E s \in Slave \ {last} : member'[s].services /\ ~member[s].services
                   \/ member'[last].state = "Down" /\ ~member[last].pulled /\ ~(Online(0) /\ 0 \in nameserver.live)
                   \/ b > 0 /\ member'[b].offset # member[b].offset /\ \E s \in 1..(b - 1) : s \in nameserver.live
     /\ escaped' # escaped =>
          \E b \in Slave, m \in Message :
            /\ escaped' = escaped \cup {m} /\ m \in member[b].log \ member[b].done /\ m \in member'[b].done
            /\ RemoteEscape /\ member[b].services /\ member[b].state = "Online"
     /\ consumer'.at # consumer.at =>
          IF consumer'.at = Nobody THEN nameserver.live = {}
          ELSE consumer'.at \in nameserver.live /\ \A b \in nameserver.live : consumer'.at <= b
     /\ consumer'.offset # consumer.offset =>
          /\ consumer'.at = consumer.at /\ consumer.at # Nobody /\ UNCHANGED member
          /\ \/ consumer'.offset = consumer.offset + 1
             \/ consumer'.offset = member[consumer.at].offset /\ member[consumer.at].state = "Online"
                /\ (consumer.at = 0 \/ (member[consumer.at].services /\ ~member[consumer.at].pulled))]_vars
=============================================================================
