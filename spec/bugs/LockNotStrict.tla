---------------------------- MODULE LockNotStrict ----------------------------
(* lockInStrictMode=false, the default: each broker locks for itself. One consumer has the lock of the master, another
   one that of the member that acted for it, or acts for it in another nameserver's table. Repaired:
   lockInStrictMode=true, a majority of totalReplicas has to grant. *)
(* REPORT by the design: lockInStrictMode=false is the default. *)
EXTENDS QuorumLock

==============================================================================
