------------------------------ MODULE Issue7626 ------------------------------
(* apache/rocketmq #7626 reports a DLedger cluster: a candidate registered with the id -1, counted as the smallest slave,
   and took the write permission of all topics, which nobody gave back. Fixed (#7661): only where acting masters are
   enabled is the smallest slave one. Inferred, and no report: the same state in SlaveActingMaster mode, where the
   permission stays read-only when the master is back and its registration writes it only if its topics have changed.
   Repaired: a master's registration always writes it; the Java has no such rule. *)
(* REPORT inferred: #7626 is about DLedger mode; fixed there by #7661 (5.2.0). *)
(* RELEASES not examined in SlaveActingMaster mode *)
EXTENDS SlaveActingMaster

WritableAsItWas(was) == was
==============================================================================
