------------------------- MODULE AnsweredBeforeCopied -------------------------
(* Hazard F-38: topics, groups and consumer offsets are copied to slaves every ten seconds, outside the log. A slave that
   becomes master in between has none of what was created since, and the old master copies that. Repaired: the answer
   waits until all others have it. *)
(* CODE AdminBrokerProcessor.updateAndCreateTopic answers when TopicConfigManager.updateTopicConfig has changed the
   master's table; ReplicasManager.handleSlaveSynchronize runs SlaveSynchronize.syncAll every ten seconds. *)
(* REPORT inferred: #9804 and #9864 report topics that are gone after a switch in Controller mode (5.3.3), without a cause. *)
(* RELEASES 5.0.0 to 5.5.1; ReplicasManager.handleSlaveSynchronize did not change; updateAndCreateTopic did, but not in
   this *)
EXTENDS Metadata

AnsweredAtOnce == FALSE
==============================================================================
