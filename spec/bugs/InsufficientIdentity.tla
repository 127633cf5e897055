------------------------ MODULE InsufficientIdentity ------------------------
(* Not enough: keep the broker's identity apart from its data. A broker that lost its disk comes back empty under an
   id that is still in the SyncStateSet. *)
EXTENDS ControllerMode

RoleAfterLostDiskWithIdentity == "Down"
=============================================================================
