-------------------------- MODULE InsufficientListing --------------------------
(* Not enough: pull offsets from the members that the nameserver lists. A slave that acts and is not heard is not
   listed, and a master that finds nobody goes online at once. Nothing repairs this in the protocol; it must not
   happen that a slave is taken for dead while it serves and the master is down. *)
(* CODE BrokerPreOnlineService.prepareForBrokerOnline goes online at once where the name server lists nobody else, and
   asks only whom it lists. *)
(* REPORT read from the code: as shipped; nothing in the protocol repairs it. *)
EXTENDS SlaveActingMaster

AnybodyMayBeUnheard == Id
================================================================================
