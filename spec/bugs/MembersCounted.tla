---------------------------- MODULE MembersCounted ----------------------------
(* Hazard F-57: a master that goes online counts the members that are done (waitBrokerIndex), and keeps the count when an
   attempt fails. The next attempt asks for the members again: if one that was done is gone, the count stands for another one,
   whose offsets are not pulled. Repaired: it remembers which members are done, and asks for the members again at the end. *)
(* CODE BrokerPreOnlineService.prepareForMasterOnline takes brokerIdList.get(waitBrokerIndex); prepareForBrokerOnline reads
   the members in each attempt, and does not reset waitBrokerIndex. *)
(* REPORT read from the code: no thread has it. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3 and 5.5.1 *)
EXTENDS PreOnline
==============================================================================
