------------------------------ MODULE Issue9206 ------------------------------
(* apache/rocketmq #9206: with RocksDB as the store of configurations a slave takes the master's topics and groups into
   memory only. It becomes master, restarts, and has none. Fixed (#9207): they are written. *)
(* CODE SlaveSynchronize.syncTopicConfig changed topicConfigTable itself (topicConfigTable.putAll), which
   RocksDBTopicConfigManager.persist does not write. *)
(* REPORT reported: #9206, fixed by #9207. *)
(* RELEASES 5.1.4 to 5.3.1 with RocksDB, by SlaveSynchronize.syncTopicConfig; fixed in 5.3.2; before, there is no
   RocksDBTopicConfigManager *)
EXTENDS Metadata

CopyInMemoryOnly == FALSE
==============================================================================
