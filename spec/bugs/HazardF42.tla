---------------------------- MODULE HazardF42 ----------------------------
(* Hazards F-8 and F-42: the backup of the epoch file is read, which lacks the newest entry. The bytes of that epoch lie
   under the epoch before. *)
EXTENDS DiskFaults
=============================================================================
