---------------------------- MODULE StaleConfirm -----------------------------
(* Hazard F-47, a stale confirm: a slave that is only proposed counts for acknowledgements, but its ack does not move
   the confirmOffset, and a proposal does not store the one that was valid while the master was alone. So the stored
   offset stays behind what was acknowledged, and a third broker that reaches no more than it is taken into the set: an
   empty one joins, and an acknowledged message is lost. Repaired: a proposal stores what could be read before it, and
   every ack that counts moves it. *)
(* CODE AutoSwitchHAService.updateConfirmOffsetWhenSlaveAck computes only when syncStateSet, the local set, contains the
   slave; markSynchronizingSyncStateSet stores nothing; setSyncStateSet assigns the set first, so computeConfirmOffset
   answers getConfirmOffsetDirectly, the stored value, when the new member has no connection at that moment;
   maybeExpandInSyncStateSet compares with CommitLog.getConfirmOffset. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.1.1 to 5.5.1; updateConfirmOffsetWhenSlaveAck did not change; before, who is only proposed does not count,
   and computeConfirmOffset never answers what was stored *)
EXTENDS AsShipped
==============================================================================
