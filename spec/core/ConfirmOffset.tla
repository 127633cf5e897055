---------------------------- MODULE ConfirmOffset ----------------------------
(***************************************************************************)
(* How far a log is confirmed, that is, may be shown to consumers.         *)
(* Pure operators. `members` is the set that counts as the SyncStateSet,   *)
(* `connected` the slaves that have a connection to the master, and        *)
(* `ackOf[s]` the offset that slave s acknowledged on it (0: nothing yet). *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

Minimum(S) == CHOOSE x \in S : \A y \in S : x <= y

(* Smallest acknowledged offset of the given slaves, bounded by the master's own log end. *)
SmallestAck(slaves, ackOf, logEnd) == Minimum({logEnd} \cup { ackOf[s] : s \in slaves })

(* Repaired: a member without a connection, or whose connection has not acknowledged yet, freezes the offset,
   and within one reign it does not move back. *)
ConfirmAtMaster(self, members, connected, ackOf, logEnd, old) ==
  LET slaves == members \ {self}
  IN IF \A s \in slaves : s \in connected /\ ackOf[s] >= 0
     THEN LET new == SmallestAck(slaves, ackOf, logEnd) IN IF new > old THEN new ELSE old
     ELSE old

(* As shipped (AutoSwitchHAService.computeConfirmOffset): a member without a connection freezes it, a connection without
   a first ack is skipped, and the result is assigned even if it is smaller than before. *)
ConfirmAtMasterAsShipped(self, members, connected, ackOf, logEnd, old) ==
  LET slaves == members \ {self}
  IN IF \A s \in slaves : s \in connected
     THEN SmallestAck({ s \in slaves : ackOf[s] > 0 }, ackOf, logEnd)
     ELSE old

(* The design text: the smallest offset of the replicas in the set. *)
ConfirmAtMasterAsDesigned(self, members, connected, ackOf, logEnd, old) ==
  SmallestAck(members \ {self}, [s \in members |-> IF s \in connected /\ ackOf[s] >= 0 THEN ackOf[s] ELSE 0], logEnd)

(* On a slave: what the master announced, as far as the own log reaches. As shipped it may move back
   (AutoSwitchHAClient.processReadResult). *)
ConfirmAtSlaveAsShipped(announced, logEnd, old) == IF announced <= logEnd THEN announced ELSE logEnd

(* Repaired: it does not move back as far as the log reaches. *)
ConfirmAtSlave(announced, logEnd, old) ==
  LET known == IF announced > old THEN announced ELSE old IN IF known <= logEnd THEN known ELSE logEnd

=============================================================================
