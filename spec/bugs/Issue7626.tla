------------------------------ MODULE Issue7626 ------------------------------
(* #7626 (Z71): the queues stay read-only after the master came back, since its registration writes the permission
   only if its topics have changed. Repaired (#7661): a master's registration always writes it. *)
EXTENDS SlaveActingMaster

WritableAsItWas(was) == was
==============================================================================
