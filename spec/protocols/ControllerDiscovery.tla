------------------------- MODULE ControllerDiscovery -------------------------
(***************************************************************************)
(* How a broker finds the controllers' leader, and where its heartbeats    *)
(* go (ReplicasManager). Every 3 s a scan asks for each configured address *)
(* whether it can be reached, in tasks of a pool with a bounded queue; who *)
(* is reachable is asked who leads (GetControllerMetadata) and gets the    *)
(* heartbeats. Everything else goes to the leader that was answered last.  *)
(*                                                                         *)
(* One broker: the others do the same. A controller that does not lead     *)
(* answers who leads as far as it knows. Each controller counts the        *)
(* heartbeats that it gets itself (DefaultBrokerHeartbeatManager), so the  *)
(* next leader knows the broker already. Left out: what is decided         *)
(* (Controller, Membership), addresses that change by DNS.                 *)
(*                                                                         *)
(* Learned: a heartbeat that goes elsewhere than the requests can get lost *)
(* alone. The broker asks a leader that never hears it and counts it as    *)
(* dead (bugs/Issue9843, bugs/Issue10812Channel).                          *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  \* @type: Set(CONTROLLER);
  Controller,
  \* @type: CONTROLLER;
  NoController,
  \* Tasks that the pool takes: threads and queue (in the Java 10 and 32).
  \* @type: Int;
  Capacity,
  \* Budgets: networks that break, channels that say "not reachable" though requests arrive, changes of the leader.
  \* @type: Int;
  MaxBreaks,
  \* @type: Int;
  MaxSticks,
  \* @type: Int;
  MaxFailOvers

VARIABLES
  \* Who leads.
  \* @type: CONTROLLER;
  leader,
  \* Of each controller whom it takes for the leader.
  \* @type: CONTROLLER -> CONTROLLER;
  view,
  \* Controllers that requests of the broker reach, and those whose channel is stuck.
  \* @type: { reached: Set(CONTROLLER), stuck: Set(CONTROLLER) };
  network,
  \* The broker: does its scan still run; tasks that wait for each controller; who counts as reachable
  \* (availableControllerAddresses); whom it takes for the leader (controllerLeaderAddress).
  \* @type: { scans: Bool, tasks: CONTROLLER -> Int, available: Set(CONTROLLER), known: CONTROLLER };
  broker,
  \* Controllers that have heard a heartbeat not too long ago.
  \* @type: Set(CONTROLLER);
  heard,
  \* @type: { breaks: Int, sticks: Int, failOvers: Int };
  used

vars == <<leader, view, network, broker, heard, used>>

TypeOK ==
  /\ leader \in Controller
  /\ view \in [Controller -> Controller]
  /\ network.reached \subseteq Controller /\ network.stuck \subseteq Controller
  /\ broker.scans \in BOOLEAN
  /\ broker.tasks \in [Controller -> 0..Capacity]
  /\ broker.available \subseteq Controller
  /\ broker.known \in Controller \cup {NoController}
  /\ heard \subseteq Controller
  /\ used.breaks \in 0..MaxBreaks /\ used.sticks \in 0..MaxSticks /\ used.failOvers \in 0..MaxFailOvers

RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})

Tasks == Sum(broker.tasks, Controller)

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Does the scan go on after the pool refused a task? Repaired (#9845): what is thrown is caught. A task of a
   ScheduledExecutorService that throws is never run again. *)
ScanSurvivesRefusal == TRUE

(* Where heartbeats go. Repaired: also to the controller that everything else is asked of. *)
HeartbeatTargets == broker.available \cup ({broker.known} \ {NoController})

-----------------------------------------------------------------------------
Init ==
  /\ leader \in Controller
  /\ view = [c \in Controller |-> leader]
  /\ network = [reached |-> Controller, stuck |-> {}]
  /\ broker = [scans |-> TRUE, tasks |-> [c \in Controller |-> 0], available |-> {}, known |-> NoController]
  /\ heard = {}
  /\ used = [breaks |-> 0, sticks |-> 0, failOvers |-> 0]

(* ReplicasManager.scanAvailableControllerAddresses. Tasks for a controller that is reached at once have ended before the
   next scan; those for another one wait as long as the network does. *)
Scan ==
  /\ broker.scans
  /\ \A c \in network.reached : broker.tasks[c] = 0
  /\ IF Tasks + Cardinality(Controller) <= Capacity
     THEN broker' = [broker EXCEPT !.tasks = [c \in Controller |-> @[c] + 1]]
     ELSE broker' = [broker EXCEPT !.scans = ScanSurvivesRefusal]
  /\ UNCHANGED <<leader, view, network, heard, used>>

(* A task of the scan: BrokerOuterAPI.checkAddressReachable. *)
ReachabilityIsChecked(c) ==
  /\ broker.tasks[c] > 0
  /\ broker' = [broker EXCEPT
       !.tasks[c] = @ - 1,
       !.available = IF c \in network.reached \ network.stuck THEN @ \cup {c} ELSE @ \ {c}]
  /\ UNCHANGED <<leader, view, network, heard, used>>

(* ReplicasManager.updateControllerMetadata: the first of the available ones that answers. *)
AskForLeader(c) ==
  /\ c \in broker.available \cap network.reached
  /\ broker.known # view[c]
  /\ broker' = [broker EXCEPT !.known = view[c]]
  /\ UNCHANGED <<leader, view, network, heard, used>>

(* ReplicasManager.sendHeartbeatToController *)
SendHeartbeats ==
  /\ heard' = heard \cup (HeartbeatTargets \cap network.reached)
  /\ heard' # heard
  /\ UNCHANGED <<leader, view, network, broker, used>>

(* DefaultBrokerHeartbeatManager.scanNotActiveBroker *)
HeartbeatExpires(c) ==
  /\ c \in heard
  /\ c \notin HeartbeatTargets \cap network.reached
  /\ heard' = heard \ {c}
  /\ UNCHANGED <<leader, view, network, broker, used>>

-----------------------------------------------------------------------------
ControllerFailsOver(new) ==
  /\ used.failOvers < MaxFailOvers
  /\ new # leader
  /\ leader' = new
  /\ view' = [view EXCEPT ![new] = new]
  /\ used' = [used EXCEPT !.failOvers = @ + 1]
  /\ UNCHANGED <<network, broker, heard>>

ControllerLearnsLeader(c) ==
  /\ view[c] # leader
  /\ view' = [view EXCEPT ![c] = leader]
  /\ UNCHANGED <<leader, network, broker, heard, used>>

NetworkBreaks(c) ==
  /\ used.breaks < MaxBreaks
  /\ c \in network.reached
  /\ network' = [network EXCEPT !.reached = @ \ {c}]
  /\ used' = [used EXCEPT !.breaks = @ + 1]
  /\ UNCHANGED <<leader, view, broker, heard>>

NetworkHeals(c) ==
  /\ c \in Controller \ network.reached
  /\ network' = [network EXCEPT !.reached = @ \cup {c}]
  /\ UNCHANGED <<leader, view, broker, heard, used>>

(* The channel that the check looks at is not active, while requests open another one. *)
ChannelSticks(c) ==
  /\ used.sticks < MaxSticks
  /\ c \notin network.stuck
  /\ network' = [network EXCEPT !.stuck = @ \cup {c}]
  /\ used' = [used EXCEPT !.sticks = @ + 1]
  /\ UNCHANGED <<leader, view, broker, heard>>

Next ==
  \/ Scan
  \/ \E c \in Controller : ReachabilityIsChecked(c)
  \/ \E c \in Controller : AskForLeader(c)
  \/ SendHeartbeats
  \/ \E c \in Controller : HeartbeatExpires(c)
  \/ \E c \in Controller : ControllerFailsOver(c)
  \/ \E c \in Controller : ControllerLearnsLeader(c)
  \/ \E c \in Controller : NetworkBreaks(c)
  \/ \E c \in Controller : NetworkHeals(c)
  \/ \E c \in Controller : ChannelSticks(c)

Spec == Init /\ [][Next]_vars

(* Everything that is a timer goes on; what breaks need not, and a network need not heal. *)
FairSpec ==
  /\ Spec
  /\ WF_vars(Scan)
  /\ WF_vars(SendHeartbeats)
  /\ \A c \in Controller :
       /\ WF_vars(ReachabilityIsChecked(c))
       /\ WF_vars(AskForLeader(c))
       /\ WF_vars(HeartbeatExpires(c))
       /\ WF_vars(ControllerLearnsLeader(c))

-----------------------------------------------------------------------------
(* Is there somebody to ask, and does the leader get what is sent? *)
LeaderReached == leader \in network.reached
SomebodyAnswers == network.reached \ network.stuck # {}

\* A broker runs and reaches the controllers' leader, which never hears it: it counts as dead and is never elected nor taken into the SyncStateSet.
EventuallyHeard == <>[](LeaderReached /\ SomebodyAnswers) => <>[](leader \in heard)

\* A broker goes on asking a controller that does not lead any more, so nothing that it asks is done.
EventuallyKnown == <>[](LeaderReached /\ SomebodyAnswers) => <>[](broker.known = leader)

\* The broker takes another controller for the leader than it was told, counts one as reachable that was not checked, or is heard where it sent nothing.
DiscoveryChanges ==
  [][LET targets == (broker.available \cup {broker.known}) \cap network.reached
         one(S)  == \E c \in S : S = {c}
     IN /\ leader' # leader <=> used'.failOvers # used.failOvers
        /\ \A c \in Controller : view'[c] # view[c] => view'[c] = leader'
        /\ leader' # leader => view'[leader'] = leader'
        /\ (network.reached \ network'.reached # {} <=> used'.breaks # used.breaks)
        /\ (network'.stuck # network.stuck <=> used'.sticks # used.sticks) /\ network.stuck \subseteq network'.stuck
        /\ network' # network => UNCHANGED <<broker, heard>>
        /\ broker'.scans
        /\ broker'.tasks # broker.tasks =>
             \/ /\ \A c \in Controller : broker'.tasks[c] = broker.tasks[c] + 1
                /\ \A c \in network.reached : broker.tasks[c] = 0
             \/ \E c \in Controller :
                  /\ broker'.tasks = [broker.tasks EXCEPT ![c] = @ - 1]
                  /\ broker'.available = (IF c \in network.reached \ network.stuck
                                          THEN broker.available \cup {c} ELSE broker.available \ {c})
        /\ broker'.available # broker.available => broker'.tasks # broker.tasks
        /\ broker'.known # broker.known => \E c \in broker.available \cap network.reached : broker'.known = view[c]
        /\ heard' # heard =>
             \/ heard' = heard \cup targets
             \/ heard' \subseteq heard /\ one(heard \ heard') /\ (heard \ heard') \cap targets = {}]_vars
==============================================================================
