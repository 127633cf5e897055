------------------------ MODULE InsufficientIdentity ------------------------
(* Not enough: keep the broker's identity apart from its data. A broker that lost its disk comes back empty under an
   id that is still in the SyncStateSet. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS ControllerMode

RoleAfterLostDiskWithIdentity == "Down"
=============================================================================
