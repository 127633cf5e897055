-------------------------- MODULE PutAfterDemotion ---------------------------
(* Hazard F-37: the role is asked before the append, not under its lock; a put that passed the question is appended
   after the demotion, even after the truncation. Repaired: the append asks again. *)
(* CODE HookUtils.checkBeforePutMessage asks the role; CommitLog.asyncPutMessage appends under putMessageLock without
   asking again; ReplicasManager.changeToSlave and DefaultMessageStore.truncateFiles do not take that lock. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; checkBeforePutMessage changed in 5.1.0, but not in this *)
EXTENDS ControllerMode

MayAppendOfPutAfterDemotion(b) ==
  broker[b].role = "Master" \/ (broker[b].role = "Slave" /\ \E e \in 1..MaxEpoch : b \in history.owners[e])
==============================================================================
