------------------------------ MODULE Issue9711 ------------------------------
(* #9711 (Z76): the master pulls the slave's offsets, but takes its own DataVersion for the newer one and
   keeps what it has. Repaired: the greater offset of each queue counts. *)
(* CODE BrokerPreOnlineService.syncMetadataReverse takes a slave's offsets only where its own DataVersion is not the newer
   one (DataVersion.compare); LmqConsumerOffsetManager.decode leaves the DataVersion as a new process makes it. *)
(* REPORT reported: #9711 on 5.3.3, with enableLmq in SlaveActingMaster mode; closed as stale, its change #9712 is open. *)
(* RELEASES 5.0.0 to 5.5.1, with enableLmq *)
EXTENDS SlaveActingMaster

OwnOffsetAfterPull(s) == member[0].offset
==============================================================================
