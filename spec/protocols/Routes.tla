-------------------------------- MODULE Routes --------------------------------
(***************************************************************************)
(* Where clients find the master in Controller mode: each broker registers *)
(* with every nameserver on its own, a master under id 0, and the servers  *)
(* do not talk to each other (RouteInfoManager). After an election the old *)
(* master goes on registering until it learns of it. A registration brings *)
(* the master's epoch as its version, and a nameserver refuses an older    *)
(* one as long as it hears the newer master.                               *)
(*                                                                         *)
(* Left out: topics, slaves' addresses, the lowest id that acts for a      *)
(* master (SlaveActingMaster), and what is acknowledged meanwhile          *)
(* (ControllerMode): a route is a hint, epochs keep the messages.          *)
(*                                                                         *)
(* Learned: without a version the last one to register wins, on each       *)
(* nameserver another one (bugs/Issue6316).                                *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
  \* @type: Set(BROKER);
  Broker,
  \* @type: BROKER;
  NoBroker,
  \* @type: BROKER;
  FirstMaster,
  \* @type: Set(SERVER);
  Nameserver,
  \* @type: Int;
  MaxEpoch

VARIABLES
  \* @type: { master: BROKER, epoch: Int };
  controller,
  \* The epoch in which a broker believes to be master; 0: in none.
  \* @type: BROKER -> Int;
  leads,
  \* brokerAddrTable: who has id 0 at a nameserver.
  \* @type: SERVER -> BROKER;
  route,
  \* brokerLiveTable: the epoch in which a nameserver has heard a broker as master, 0: it has not, or not for long.
  \* @type: SERVER -> (BROKER -> Int);
  live

vars == <<controller, leads, route, live>>

TypeOK ==
  /\ controller.master \in Broker /\ controller.epoch \in 1..MaxEpoch
  /\ leads \in [Broker -> 0..MaxEpoch]
  /\ route \in [Nameserver -> Broker \cup {NoBroker}]
  /\ live \in [Nameserver -> [Broker -> 0..MaxEpoch]]

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* The version that a registration brings (DataVersion.stateVersion). *)
VersionOf(epoch) == epoch

-----------------------------------------------------------------------------
Init ==
  /\ controller = [master |-> FirstMaster, epoch |-> 1]
  /\ leads = [b \in Broker |-> IF b = FirstMaster THEN 1 ELSE 0]
  /\ route = [n \in Nameserver |-> NoBroker]
  /\ live = [n \in Nameserver |-> [b \in Broker |-> 0]]

ControllerElectsMaster(b) ==
  /\ controller.epoch < MaxEpoch
  /\ b # controller.master
  /\ controller' = [master |-> b, epoch |-> controller.epoch + 1]
  /\ UNCHANGED <<leads, route, live>>

(* ReplicasManager.changeToMaster, changeToSlave *)
BrokerLearnsRole(b) ==
  LET now == IF controller.master = b THEN controller.epoch ELSE 0
  IN
  /\ leads[b] # now
  /\ leads' = [leads EXCEPT ![b] = now]
  /\ UNCHANGED <<controller, route, live>>

(* RouteInfoManager.registerBroker under id 0. Refused: another broker has the id, is heard, and has a later version. *)
MasterRegisters(b, n) ==
  LET holder == route[n]
      refused == /\ holder \in Broker \ {b}
                 /\ live[n][holder] > 0
                 /\ VersionOf(live[n][holder]) > VersionOf(leads[b])
  IN
  /\ leads[b] > 0
  /\ route' = IF refused THEN route ELSE [route EXCEPT ![n] = b]
  /\ live' = [live EXCEPT ![n][b] = IF refused THEN 0 ELSE leads[b]]
  /\ UNCHANGED <<controller, leads>>

(* The same under its own id: an address has one entry. *)
SlaveRegisters(b, n) ==
  /\ leads[b] = 0
  /\ route[n] = b \/ live[n][b] > 0
  /\ route' = IF route[n] = b THEN [route EXCEPT ![n] = NoBroker] ELSE route
  /\ live' = [live EXCEPT ![n][b] = 0]
  /\ UNCHANGED <<controller, leads>>

(* RouteInfoManager.scanNotActiveBroker: nothing was heard of it for long, or its channel was closed. *)
BrokerExpires(b, n) ==
  /\ live[n][b] > 0
  /\ live' = [live EXCEPT ![n][b] = 0]
  /\ route' = IF route[n] = b THEN [route EXCEPT ![n] = NoBroker] ELSE route
  /\ UNCHANGED <<controller, leads>>

Next ==
  \/ \E b \in Broker : ControllerElectsMaster(b)
  \/ \E b \in Broker : BrokerLearnsRole(b)
  \/ \E b \in Broker, n \in Nameserver : MasterRegisters(b, n)
  \/ \E b \in Broker, n \in Nameserver : SlaveRegisters(b, n)
  \/ \E b \in Broker, n \in Nameserver : BrokerExpires(b, n)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* A nameserver sends clients to an old master although it hears the new one, so producers fail or wait for the old one's fence.
RouteToNewest == \A n \in Nameserver : route[n] # NoBroker => \A b \in Broker : live[n][b] <= live[n][route[n]]

\* A broker takes a role that the controller has not given it, or a nameserver an address or a version that nobody has registered with it.
RoutesChange ==
  [][/\ controller' # controller => controller'.master # controller.master /\ controller'.epoch = controller.epoch + 1
     /\ \A b \in Broker : leads'[b] # leads[b] => leads'[b] = (IF b = controller.master THEN controller.epoch ELSE 0)
     /\ \A n \in Nameserver :
          /\ route'[n] # route[n] =>
               IF route'[n] = NoBroker THEN live'[n][route[n]] = 0 ELSE live'[n][route'[n]] > 0
          /\ \A b \in Broker : live'[n][b] # live[n][b] => live'[n][b] = 0 \/ (live'[n][b] = leads[b] /\ route'[n] = b)]_vars
==============================================================================
