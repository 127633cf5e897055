---------------------------- MODULE FileCutFirst ----------------------------
(* A deliberately weak rule: cut the epoch file before the log. If the process ends in between, the bytes that were to
   be cut stay, under an epoch that they do not belong to. *)
(* REPORT a weak rule: RocketMQ does not have it. *)
EXTENDS DiskFaults
=============================================================================
