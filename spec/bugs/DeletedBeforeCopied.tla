------------------------- MODULE DeletedBeforeCopied --------------------------
(* apache/rocketmq #9984 reports it: a slave that copies the master's topics deletes all of its own first, then adds what it has
   fetched. It is elected in between, and has none. Repaired: what is there is replaced in one step. *)
(* CODE SlaveSynchronize.syncTopicConfig calls TopicConfigManager.deleteTopicConfig for each entry, also those that the
   master has, and then updateSingleTopicConfigWithoutPersist (5.4.0: putTopicConfig). *)
(* REPORT inferred: #9984 reports topics and groups that are deleted on a broker in Controller mode; that it is elected in
   between is inferred. *)
(* RELEASES 5.0.0 to 5.1.0 and 5.3.2 to 5.4.0; fixed in 5.5.0; not in 5.1.1 to 5.3.1 (#6424); up to 5.1.0 it is clear
   and putAll of the table in memory *)
EXTENDS Metadata

DeletedFirst == FALSE
==============================================================================
