------------------------- MODULE InsufficientRenewal -------------------------
(* Not enough: resolve a proposal by a greater number of the set, and refuse an AlterSyncStateSet that changes nothing.
   A slave is proposed and dies before the controller answers. The proposal is refused, the master may not forget it,
   nothing else is to be changed, and acknowledgements wait for the dead slave for ever. Found as a violation of
   EventuallyAcknowledged; as shipped the same happens, because a refused request leaves the set "synchronizing". *)
(* CODE ReplicasManager.doReportSyncStateSetChanged only logs a refusal;
   AutoSwitchHAService.markSynchronizingSyncStateSetDone is called by setSyncStateSet alone. *)
(* REPORT read from the code: as shipped, a refused request leaves the set synchronizing. *)
EXTENDS Membership
=============================================================================
