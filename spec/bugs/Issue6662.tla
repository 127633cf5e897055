------------------------------ MODULE Issue6662 ------------------------------
(* apache/rocketmq #6662: the confirmOffset was the smallest ack of the connections that exist; a member of the
   SyncStateSet without a connection did not count. Consumers read what that member lacks, and the controller
   may elect it. Fixed (#6663): a member without a connection freezes the confirmOffset. *)
(* CODE AutoSwitchHAService.computeConfirmOffset before 7903c70412: the minimum over connectionList. *)
(* REPORT reported: #6662, for a master and a slave that are cut off together; fixed by #6663. *)
(* RELEASES 5.0.0 and 5.1.0; fixed in 5.1.1 *)
EXTENDS ControllerMode

ConfirmWithOfIssue6662(m, local, members, connected, acks) ==
  SmallestAck({ s \in (members \cap connected) \ {m} : acks[s] >= 0 }, acks, DurableEnd(m))
=============================================================================
