-------------------------- MODULE IdleSlaveExpelled --------------------------
(* Before 97e6cecbf9 (2022-05) a slave to which nothing was sent for haMaxTimeSlaveNotCatchup counted as behind. In an
   idle broker set it was expelled and taken back again and again: the number of the set rises without end. Fixed: a
   slave that has everything is not behind (which went too far: CaughtUpOnceSent). *)
(* CODE before 97e6cecbf9 AutoSwitchHAConnection.transferToSlave set lastCatchUpTimeMs only when there was something
   to send. *)
(* REPORT inferred: from the change 97e6cecbf9. *)
(* RELEASES none; fixed before 5.0.0 *)
EXTENDS Membership

FallenBehindWhenIdle(b, s) == TRUE
=============================================================================
