-------------------------- MODULE GreatestReportKept --------------------------
(* Hazard F-4: of a broker's reports (epoch of its last entry, end of its log) the controller keeps the greatest that it
   has heard, as long as the entry lives. A broker whose log was cut meanwhile is ranked by what it had, and elected
   before one that has more. Only with unclean elections: a member of the SyncStateSet has received the newest epoch
   after its last truncation, and that report is greater. Repaired: the last report counts. *)
(* CODE DefaultBrokerHeartbeatManager.onBrokerHeartbeat sets epoch, maxOffset and confirmOffset only if (epoch,
   maxOffset) is greater than what it has; DefaultElectPolicy.tryElect ranks by BrokerLiveInfo. The slave's
   AutoSwitchHAClient.doTruncate made its log shorter, and EpochFileCache.truncateSuffixByOffset its last epoch
   smaller. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; onBrokerHeartbeat changed in 5.1.0 and 5.1.1, but not in this *)
EXTENDS Elections, AsShipped

VARIABLE
  \* What the controller remembers of each broker's heartbeats; a heartbeat is taken to come with every step.
  \* @type: BROKER -> { epoch: Int, end: Int };
  reported

withReports == <<controller, events, disk, broker, link, connection, requests, notices, history, used, reported>>

NoReport  == [epoch |-> -1, end |-> -1]
Report(b) == [epoch |-> LastEpoch(disk[b].epochFile), end |-> EndOfLog(b)]
Greater(x, y) == x.epoch > y.epoch \/ (x.epoch = y.epoch /\ x.end > y.end)

(* onBrokerHeartbeat: what is remembered after `new` came. *)
ReportKept(old, new)            == new
ReportKeptIfGreater(old, new)   == IF Greater(new, old) THEN new ELSE old

EligibleInReported(members, prefer) ==
  LET living == members \cap controller.alive
  IN IF controller.master \in living /\ prefer \in {NoBroker, controller.master} THEN {controller.master}
     ELSE IF prefer # NoBroker THEN living \cap {prefer}
     ELSE { b \in living : \A c \in living : ~Greater(reported[c], reported[b]) }

InitWithReports == Init /\ reported = [b \in Broker |-> Report(b)]
NextWithReports ==
  /\ Next
  /\ reported' = [b \in Broker |-> IF b \in controller'.alive THEN ReportKept(reported[b], Report(b)') ELSE NoReport]
SpecWithReports == InitWithReports /\ [][NextWithReports]_withReports

\* A candidate with more of the log was passed over for one with less, so messages are cut that could have been kept.
ElectLongest ==
  [][LET new  == controller'.master
         from == (IF new \in controller.sss THEN EligibleCleanly ELSE EligibleUncleanly) \cap controller.alive
     IN broker' = broker /\ used' = used /\ controller.masterEpoch > 0 /\ new \notin {controller.master, NoBroker}
        => \A c \in from : ~(Ahead(c, new) /\ EndOfLog(c) > EndOfLog(new))]_vars
==============================================================================
