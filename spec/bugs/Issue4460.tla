------------------------------ MODULE Issue4460 ------------------------------
(* apache/rocketmq #4460: a slave that becomes master takes messages while the bytes that it copied are not dispatched yet.
   It reads the next queue offset from a queue that lacks them. Fixed (#4460): what it has is confirmed, it waits until
   that is dispatched, and only then reads the table of queue offsets. *)
(* CODE AutoSwitchHAService.changeToMaster, DefaultMessageStore.recoverTopicQueueTable; ConsumeQueue.putMessagePositionInfo
   passes over a queue offset that is there already. *)
(* REPORT inferred: #4460 says that confirmOffset, dispatch and recovery of topicQueueTable have to go together when roles
   change, or messages are lost; the story is inferred from its change. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS ConsumeQueues

ServesAtOnce == FALSE
==============================================================================
