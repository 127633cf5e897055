---------------------------- MODULE UnrefinedLog ----------------------------
(* A deliberately weak rule: acknowledgements follow the confirmed set only (as in #5663). Seen from outside, the
   brokers are then not one log: what was acknowledged is not in the log that the members of the set have in common. *)
(* REPORT a weak rule: RocketMQ does not have it. *)
EXTENDS RefinesLog

AckSetOfConfirmedSet(b) == broker[b].sss
=============================================================================
