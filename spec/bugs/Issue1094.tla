------------------------------ MODULE Issue1094 ------------------------------
(* #1094 (Z70), and skipPreOnline=true: consumers go on at the slave while the master is down; the master comes back
   with its old consumer offsets, and the slave takes those over. Repaired: the master pulls the offsets from every
   slave before it goes online. *)
EXTENDS SlaveActingMaster

NoPreOnline == TRUE
==============================================================================
