------------------------------ MODULE Issue1094 ------------------------------
(* #1094 (Z70), and skipPreOnline=true: consumers go on at the slave while the master is down; the master comes back
   with its old consumer offsets, and the slave takes those over. Repaired: the master pulls the offsets from every
   slave before it goes online. *)
(* CODE SlaveSynchronize.syncConsumerOffset of 4.9.x puts the master's offsets over the slave's. *)
(* REPORT reported: #1094 (2019), master/slave mode, the pull of offsets before a master goes online came with
   enableSlaveActingMaster. *)
(* RELEASES up to 4.9.x; from 5.0.0 with skipPreOnline=true *)
EXTENDS SlaveActingMaster

NoPreOnline == TRUE
==============================================================================
