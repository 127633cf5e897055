------------------------------ MODULE Issue9717 ------------------------------
(* apache/rocketmq #9717: the JRaft controller's scan for brokers that are not heard compared its waiting time the wrong
   way round and never ran, so a master whose process hangs or whose death nobody reported was never replaced. Fixed
   (#9718): the scan runs. What it then looked for was wrong, too: Issue10875. *)
(* CODE RaftBrokerHeartBeatManager.scanNotActiveBroker before 8fc57f1468 returns once the time to wait is over. *)
(* REPORT reported: #9717 on 5.2.0, fixed by #9718. #10416 says that 5.5.0 has it still; the class of 5.5.0 compares
   rightly. *)
(* RELEASES 5.2.0 to 5.3.3, with the JRaft controller; fixed in 5.3.4; before, there is no such controller *)
EXTENDS Progress

InactiveMasterIsNeverFound == FALSE
==============================================================================
