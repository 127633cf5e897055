----------------------------- MODULE WeakExpand -----------------------------
(* A deliberately weak rule: a slave joins the SyncStateSet as soon as it acknowledged anything. *)
EXTENDS ControllerMode

ExpandWhoeverIsConnected(m, s) == s \notin Learners
=============================================================================
