------------------------------ MODULE HazardF6 ------------------------------
(* Hazard F-6 a: of several proposals under way the master remembers only the last. The controller stores {A, C}, the
   master counts on {A, B}, and C is elected without what A and B have. Repaired: acknowledgements ask the
   union of all unresolved proposals. *)
EXTENDS ControllerMode

PendingWithOfHazardF6(m, members) == members
=============================================================================
