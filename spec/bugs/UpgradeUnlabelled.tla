--------------------------- MODULE UpgradeUnlabelled ---------------------------
(* Hazard F-59: as shipped a log from before the upgrade has no epoch file, and a log without one is not cut at the
   handshake. When the slave was started first, the old master keeps its longer log and copies other messages behind it: the
   guide speaks of a truncation, what happens is worse. Repaired: align the logs, or start the old master first; a log from
   before the upgrade counts as epoch 0. *)
(* CODE AutoSwitchHAClient.doTruncate cuts nothing where the epoch file has no entry: the broker counts as new, whatever is in
   its log. *)
(* REPORT read from the code: the upgrade guide speaks of a truncation. *)
(* RELEASES 5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3, 5.4.0, 5.5.0 and 5.5.1 *)
EXTENDS Upgrade

================================================================================
