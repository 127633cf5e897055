------------------------------ MODULE HazardF16 ------------------------------
(* Hazard F-16: acknowledgements count connections. A slave that reconnects before its old connection is reaped
   counts twice, so a message is acknowledged without the third member. Repaired: count members. *)
EXTENDS AsShipped
==============================================================================
