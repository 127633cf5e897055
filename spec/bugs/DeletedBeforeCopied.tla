------------------------- MODULE DeletedBeforeCopied --------------------------
(* apache/rocketmq #9984 reports it: a slave that copies the master's topics deletes all of its own first, then adds what it has
   fetched. It is elected in between, and has none. Repaired: what is there is replaced in one step. *)
(* CODE SlaveSynchronize.syncTopicConfig calls TopicConfigManager.deleteTopicConfig for each entry, also those that the
   master has, and then updateSingleTopicConfigWithoutPersist. *)
(* REPORT inferred: #9984 reports topics and groups that are deleted on a broker in Controller mode; that it is elected in
   between is inferred. *)
(* RELEASES 5.3.2 and 5.3.3 *)
EXTENDS Metadata

DeletedFirst == FALSE
==============================================================================
