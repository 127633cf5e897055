------------------------------ MODULE Issue9711 ------------------------------
(* #9711 (Z76): the master pulls the slave's offsets, but takes its own DataVersion for the newer one and
   keeps what it has. Repaired: the greater offset of each queue counts. *)
(* REPORT reported: #9711 on 5.3.3, for the offsets of light message queues; closed as stale. *)
(* RELEASES reported on 5.3.3 *)
EXTENDS SlaveActingMaster

OwnOffsetAfterPull(s) == member[0].offset
==============================================================================
