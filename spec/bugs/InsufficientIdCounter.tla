------------------------ MODULE InsufficientIdCounter ------------------------
(* Not enough: let the next id survive a cleaning, and go on accepting any id that nobody holds. A replica that read
   the id before another one took it applies for it after the cleaning, when nobody is known to hold it. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS Registration

AnyUnassignedIdAccepted(id) == TRUE
=============================================================================
