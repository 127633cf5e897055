----------------------------- MODULE WeakExpand -----------------------------
(* A deliberately weak rule: a slave joins the SyncStateSet as soon as it acknowledged anything. *)
(* REPORT a weak rule: RocketMQ does not have it. *)
EXTENDS ControllerMode

ExpandWhoeverIsConnected(m, s) == s \notin Learners
=============================================================================
