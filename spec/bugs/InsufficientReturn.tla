-------------------------- MODULE InsufficientReturn --------------------------
(* Not enough: pull offsets when a master's process starts. A master that runs and is not heard for ten seconds is
   taken from the nameserver's table, a slave acts for it, and the next registration makes it master again with the
   offsets that it had. Repaired: a master that finds itself unlisted isolates itself and goes online as after a start. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS SlaveActingMaster

RegistersAtOnceAsShipped == TRUE
===============================================================================
