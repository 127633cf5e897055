--------------------------- MODULE WeakAlterCheck ---------------------------
(* A deliberately weak rule: AlterSyncStateSet checks the number of the set, but not who asks. When the controller
   finds no master it raises only the masterEpoch, so the old master's request is still stored. *)
(* REPORT a weak rule: RocketMQ does not have it. *)
EXTENDS ControllerMode

AlterCodeWithoutMaster(r) ==
  CASE r.members = controller.sss              -> "ALTER_SYNC_STATE_SET_FAILED"
    [] controller.sssEpoch # r.sssEpoch        -> "FENCED_SYNC_STATE_SET_EPOCH"
    [] ~(r.members \subseteq controller.alive) -> "BROKER_NOT_ALIVE"
    [] OTHER                                   -> "SUCCESS"
=============================================================================
