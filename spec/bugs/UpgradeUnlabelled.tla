--------------------------- MODULE UpgradeUnlabelled ---------------------------
(* As shipped a log from before the upgrade has no epoch file, and a log without one is not cut at the handshake. When
   the slave was started first, the old master keeps its longer log and copies other messages behind it: the guide
   speaks of a truncation, what happens is worse. Repaired: align the logs, or start the old master first; a log from
   before the upgrade counts as epoch 0. *)
(* REPORT read from the code: the upgrade guide speaks of a truncation. *)
EXTENDS Upgrade

================================================================================
