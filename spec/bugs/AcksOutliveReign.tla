-------------------------- MODULE AcksOutliveReign --------------------------
(* Hazard F-79: a master that is elected anew goes on counting what was acknowledged to it in its earlier reign, by a
   slave that has followed another master since and has cut what it acknowledged. Its connection is gone, and the master
   has not noticed. So inSyncReplicas = all replicas answers SEND_OK for a message that one of them does not have, and
   with unclean elections that one may be elected. With clean elections nobody leads again who was not a slave
   meanwhile: proved (lemmas/CleanCopiesLemmas). Repaired: every election ends the connections. *)
(* CODE ReplicasManager.changeToMaster calls AutoSwitchHAService.changeToMasterWhenLastRoleIsMaster, which appends the
   epoch and keeps the connections (changeToMaster destroys them); GroupTransferService.doWaitTransfer counts
   getSlaveAckOffset of every connection in the list. The put has to wait all the while: MessageStoreConfig's slaveTimeout,
   3 seconds if nobody sets it. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.1.1 to 5.5.1; before the repair of #6344 changeToMaster was called always, and destroyed the connections *)
EXTENDS Operations

(* AutoSwitchHAService.changeToMaster, whoever was master before. *)
TakeMastershipAlone(b, info) ==
  /\ link' = LinksWithout({b}, {b})
  /\ connection' = ConnectionsWithout({b}, {b})
  /\ broker' = [broker EXCEPT ![b] = Promoted(b, "Master", info)]
  /\ disk' = [disk EXCEPT ![b] = DiskWithEpoch(DiskAtPromotion(b, info), info.epoch)]
  /\ history' = ActsAsMaster(b, info.epoch)

\* A message that all replicas were said to have is missing on one of them, and with unclean elections that one may lead.
CopiesAreOnEveryDisk ==
  InSyncReplicas = Cardinality(Broker) =>
    \A b \in Broker : broker[b].role # "Lost" => history.acked \subseteq MessagesOn(b)
=============================================================================
