--------------------------- MODULE UpgradeSlaveFirst ---------------------------
(* A master and a slave are turned to Controller mode with logs that are not aligned, and the slave is started first. It
   is elected, and what only the old master has is cut when that one follows. RocketMQ's upgrade guide warns of it.
   Repaired: align the logs, or start the old master first. *)
(* REPORT by the design: the upgrade guide warns of it. *)
EXTENDS Upgrade

================================================================================
