------------------------------- MODULE LateAcks -------------------------------
(***************************************************************************)
(* Acknowledgements on their way: what reaches the master is an offset     *)
(* that the slave reported some time ago, when more may be flushed there   *)
(* already. In ControllerMode itself the slave's flushed end is read where *)
(* the ack arrives. This is what a recorded run is compared with: a slave  *)
(* that catches up appends what was sent long ago, while its acks arrive   *)
(* behind newer ones of others, and then no order of the steps shows each  *)
(* node what it wrote down.                                                *)
(*                                                                         *)
(* Only acks need it. A header or a batch that arrives late can always be  *)
(* taken at the time when it was sent: only steps of its receiver depend   *)
(* on it, and these depend on nothing that happened meanwhile.             *)
(***************************************************************************)
EXTENDS ControllerMode

MasterReceivesLateAck(s, offset) ==
  LET m    == link[s]
      acks == [AcksOn(m) EXCEPT ![s] = offset]
  IN
  /\ m # NoBroker
  /\ connection[m][s].ack < offset
  /\ offset < DurableEnd(s)
  /\ connection' = [connection EXCEPT ![m][s].ack = offset]
  /\ disk' = DisksAfterAck(m, s, Connected(m), acks)
  /\ UNCHANGED <<controller, events, broker, link, requests, notices, history, used>>

LateNext == Next \/ \E s \in Broker, offset \in Offset : MasterReceivesLateAck(s, offset)

LateSpec == Init /\ [][LateNext]_vars
==============================================================================
