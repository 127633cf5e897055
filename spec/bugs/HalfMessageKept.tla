--------------------------- MODULE HalfMessageKept ---------------------------
(* A batch ends where the bytes end. A new master that does not look for half a message at the end of its log writes the
   next message behind it, where nobody can read either. RocketMQ looks (AutoSwitchHAService.truncateInvalidMsg), where
   anything is left to be dispatched; the set {self}, which it has learned before, lets it dispatch to the end
   (AutoSwitchHAService.setSyncStateSet computes the confirmOffset). #5041 (2298d9bf08) changed the form of that loop, not
   what it does: its condition was true whenever the loop was reached. *)
(* REPORT a weak rule: #5040, labelled code style, asks for a clearer loop. *)
(* RELEASES none; never a rule of RocketMQ *)
EXTENDS HalfMessages
==============================================================================
