------------------------------ MODULE Issue9711 ------------------------------
(* #9711 and #8509 (Z76): the master pulls the slave's offsets, but takes its own DataVersion for the newer one and
   keeps what it has. Repaired: the greater offset of each queue counts. *)
EXTENDS SlaveActingMaster

OwnOffsetAfterPull(s) == member[0].offset
==============================================================================
