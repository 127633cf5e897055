--------------------------- MODULE ConfirmFallsBack ---------------------------
(* Hazard F-14: the confirmOffset is assigned, not raised. When the set grows from {A} to {A, B}, or a slave that was
   not counted acknowledges for the first time, it falls back, and a consumer that connects again is refused what it has
   seen. Repaired: within one reign it only rises. *)
(* CODE AutoSwitchHAService.setSyncStateSet and updateConfirmOffsetWhenSlaveAck assign computeConfirmOffset() whether
   it is greater or not; AutoSwitchHAClient.HAClientReader assigns the header's value. *)
(* REPORT read from the code: no report that we know of. *)
(* RELEASES 5.0.0 to 5.5.1; setSyncStateSet changed in 5.1.0 and 5.1.1, but not in this *)
EXTENDS AsShipped
==============================================================================
