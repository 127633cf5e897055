---------------------------- MODULE InsufficientRecopy ----------------------------
(* Not enough: let a broker without an epoch file cut its whole log and copy it again. It is a member of the
   SyncStateSet while it has nothing, and it can be elected. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS DiskFaults
=============================================================================
