------------------------------ MODULE Issue9717 ------------------------------
(* apache/rocketmq #9717 (and #8380, #10875): the JRaft controller's scan had its condition inverted, so a master whose
   process hangs or whose death nobody reported was never replaced. Fixed: look for masters that are not alive. *)
EXTENDS Progress

InactiveMasterIsNeverFound == FALSE
==============================================================================
